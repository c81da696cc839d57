"""The whole way in a real browser with the real models: upload, brief, citation, page, highlight, export."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from longleaf.app import defaults
from longleaf.app.schema import Brief
from sample_docs import make
from tests.support.real_models import real_model

ROOT = Path(__file__).resolve().parents[2]
ARTIFACTS = Path(os.environ.get("LONGLEAF_ARTIFACTS", ROOT / "artifacts")) / "ui"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHROMEDRIVER = shutil.which("chromedriver")
SECONDS = 240
TRUTH: dict[str, Any] = json.loads((make.HERE / "truth.json").read_text(encoding="utf-8"))
SAMPLE = "supply_agreement_v1"
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1500,1000",
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make.build_agreement(SAMPLE, tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running `longleaf ui` with an empty Library."""
    for name in (defaults.LANGUAGE_MODEL, defaults.EMBEDDING_MODEL):
        real_model(name)
    folder = tmp_path_factory.mktemp("ui")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["-m", "longleaf.ui.launch", "--port", str(port), "--library", str(folder / "library.db")]
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, *command, "--offline"], stdout=log, stderr=subprocess.STDOUT
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(lambda: answers(f"{address}/_stcore/health"), "the server to answer", SECONDS)
            yield address
        finally:
            server.terminate()
            server.wait(20)
    assert b"Traceback" not in (folder / "log.txt").read_bytes()


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, downloads: Path) -> Iterator[WebDriver]:
    if CHROMIUM is None or CHROMEDRIVER is None:
        if os.environ.get("CI"):
            pytest.fail("chromium and chromedriver must be installed in CI (apt-get install chromium-driver)")
        pytest.skip("no chromium and chromedriver on this machine (apt-get install chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    allow = "profile.default_content_setting_values.automatic_downloads"
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads), allow: 1})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(CHROMEDRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


def wait_for(found: Callable[[], Any], what: str, seconds: float = 60) -> Any:
    deadline = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.2)
    return value


def elements(browser: WebDriver, selector: str) -> list[WebElement]:
    return list(browser.find_elements(By.CSS_SELECTOR, selector))


def attribute(browser: WebDriver, selector: str, name: str) -> str | None:
    """Read in one step: Streamlit may replace an element between two."""
    script = "const e = document.querySelector(arguments[0]); return e && e.getAttribute(arguments[1])"
    value = browser.execute_script(script, selector, name)
    return None if value is None else str(value)


def text(browser: WebDriver) -> str:
    return str(browser.execute_script("return document.body.innerText"))


def settle(browser: WebDriver) -> None:
    busy = '[data-testid="stApp"][data-test-script-state="running"], [data-stale="true"]'
    wait_for(lambda: not elements(browser, busy), "the page to come to rest")


def picture(browser: WebDriver, name: str) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    settle(browser)
    browser.save_screenshot(str(ARTIFACTS / f"{name}.png"))


def click(browser: WebDriver, selector: str) -> None:
    script = (
        "const e = document.querySelector(arguments[0]); if (!e || e.disabled) return false; "
        "e.scrollIntoView({block: 'center'}); e.click(); return true"
    )
    wait_for(lambda: browser.execute_script(script, selector), f"{selector} to click")


def cite(browser: WebDriver, place: str) -> None:
    click(browser, f'[class*="st-key-cite_{place}_0"] button')


def shown_page(browser: WebDriver) -> tuple[str | None, str | None]:
    where = ".ll-where"
    return attribute(browser, where, "data-page-label"), attribute(browser, where, "data-page-index")


def wait_for_sheet(browser: WebDriver, beginning: str, *, marked: bool) -> str:
    """Waits until the drawn page is the one described so, with marks or without; returns its description."""

    def found() -> str:
        described = attribute(browser, ".ll-page img", "alt") or ""
        has_marks = bool(elements(browser, ".ll-page .ll-mark"))
        return described if described.startswith(beginning) and has_marks == marked else ""

    return str(wait_for(found, f"{beginning}, {'with' if marked else 'without'} marks"))


@pytest.fixture(scope="module")
def briefed(browser: WebDriver, address: str, sample: Path) -> WebDriver:
    """The browser with the brief of the uploaded sample on its screen."""
    browser.get(address)
    wait_for(lambda: elements(browser, 'input[type="file"]'), "the upload field")
    picture(browser, "1-start")
    elements(browser, 'input[type="file"]')[0].send_keys(str(sample))
    wait_for(lambda: elements(browser, ".ll-fact"), "the first key fact", SECONDS)
    browser.save_screenshot(str(ARTIFACTS / "2-under-way.png"))
    wait_for(lambda: "Section by section" in text(browser), "the brief", SECONDS)
    picture(browser, "3-brief")
    return browser


def test_a_citation_leads_to_its_page_and_words(briefed: WebDriver, sample: Path) -> None:
    fact = TRUTH[sample.name]["facts"]["governing_law"]
    assert shown_page(briefed) == ("1", "0")
    wait_for_sheet(briefed, "page 1 of supply_agreement_v1.pdf", marked=False)
    cite(briefed, "fact_governing_law")
    wait_for(lambda: shown_page(briefed) == (fact["page_label"], "5"), "the cited page")
    described = wait_for_sheet(briefed, "page 6 of supply_agreement_v1.pdf", marked=True)
    assert "highlighted" in described
    picture(briefed, "4-citation")
    assert "Page 6 (6 of 10)" in text(briefed)

    # where the words stand according to pdfium, as fractions of the page
    page = pypdfium2.PdfDocument(sample)[5]
    words = page.get_textpage()
    found = words.search("State of Delaware").get_next()
    assert found is not None
    left, bottom, right, top = words.get_charbox(found[0])
    width, height = page.get_size()
    x, y = (left + right) / 2 / width, 1 - (bottom + top) / 2 / height
    sheet = briefed.find_element(By.CSS_SELECTOR, ".ll-page").rect
    marks = [mark.rect for mark in elements(briefed, ".ll-mark")]
    spots = [
        (
            (mark["x"] - sheet["x"]) / sheet["width"],
            (mark["y"] - sheet["y"]) / sheet["height"],
            (mark["x"] + mark["width"] - sheet["x"]) / sheet["width"],
            (mark["y"] + mark["height"] - sheet["y"]) / sheet["height"],
        )
        for mark in marks
    ]
    assert any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in spots), (x, y, spots)

    image = Image.open(BytesIO(briefed.find_element(By.CSS_SELECTOR, ".ll-page").screenshot_as_png))
    image = image.convert("RGB")

    def share(box: tuple[float, float, float, float], test: Callable[..., Any]) -> float:
        scale = (image.width, image.height) * 2
        part = image.crop(tuple(round(side * length) for side, length in zip(box, scale, strict=True)))
        pixels = np.asarray(part)
        return float(np.mean(test(pixels[..., 0], pixels[..., 1], pixels[..., 2])))

    longest = max(spots, key=lambda spot: spot[2] - spot[0])
    assert share(longest, lambda r, g, b: (r > 200) & (g > 180) & (b < 140)) > 0.4  # yellow
    assert share(longest, lambda r, g, b: (r < 110) & (g < 110)) > 0.01  # with the words dark upon it
    assert share((0.0, 0.93, 1.0, 1.0), lambda r, g, b: b < 140) < 0.05  # and not elsewhere


def test_every_fact_of_the_sample_is_on_its_printed_page(briefed: WebDriver, sample: Path) -> None:
    for name in ("term", "payment", "liability_cap", "assignment"):
        fact = TRUTH[sample.name]["facts"][name]
        cite(briefed, f"fact_{name}")
        wait_for_sheet(briefed, f"page {fact['page_label']} of", marked=True)
        assert shown_page(briefed)[0] == fact["page_label"]
    click(briefed, ".st-key-next button")
    wait_for_sheet(briefed, "page 7 of", marked=False)
    assert shown_page(briefed) == ("7", "6")


def test_export_of_the_brief(briefed: WebDriver, sample: Path, downloads: Path) -> None:
    for suffix in ("json", "md", "docx"):
        click(briefed, f".st-key-export_brief_{suffix} button")
        file = downloads / f"{sample.stem}.brief.{suffix}"
        wait_for(lambda file=file: file.exists() and file.stat().st_size > 0, f"the {suffix} export")
    brief = Brief.model_validate_json((downloads / f"{sample.stem}.brief.json").read_bytes())
    law = next(fact for fact in brief.key_facts if fact.name == "governing_law")
    assert law.values == ["Delaware"] and law.citations[0].page_label == "6"
    assert "# Brief of supply" in (downloads / f"{sample.stem}.brief.md").read_text(encoding="utf-8")


def test_a_question_is_answered_with_a_citation(briefed: WebDriver) -> None:
    box = wait_for(lambda: elements(briefed, '[data-testid="stTextInput"] input'), "the question box")[0]
    box.send_keys("What is the total liability of either Party?\n")
    selector = '[class*="st-key-cite_answer_1_0_0"] button'
    wait_for(lambda: elements(briefed, selector), "the answer", SECONDS)
    click(briefed, selector)
    wait_for_sheet(briefed, "page 5 of", marked=True)
    picture(briefed, "5-answer")


def test_nothing_comes_from_elsewhere(briefed: WebDriver, address: str) -> None:
    script = "return performance.getEntriesByType('resource').map(entry => entry.name)"
    loaded = briefed.execute_script(script)
    assert loaded and all(url.startswith((address, "data:", "blob:")) for url in loaded), loaded


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1", "", 101),
        ("evil.example", "http://evil.example", 403),
        ("127.0.0.1", "http://evil.example", 403),
    ],
)
def test_other_sites_cannot_talk_to_the_server(address: str, host: str, origin: str, status: int) -> None:
    port = int(address.rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest("GET", "/_stcore/stream", skip_host=True)
    for name, value in (
        ("Host", f"{host}:{port}"),
        ("Origin", origin or address),
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ):
        connection.putheader(name, value)
    connection.endheaders()
    assert connection.getresponse().status == status
    connection.close()
