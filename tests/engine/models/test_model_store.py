"""The catalogue, pulling through pip and from a hub, and what offline means."""

from __future__ import annotations

import hashlib
import os
import random
import socket
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from longleaf import LongleafError
from longleaf.engine.models import fetch
from longleaf.engine.models import store as models
from longleaf.engine.models.catalogue import Catalogue, CatalogueError, load_catalogue, parse_catalogue
from longleaf.engine.models.fetch import FetchError
from longleaf.engine.models.store import ModelError, Progress
from tests.support.real_models import real_model
from tests.support.wheel_maker import Hub, make_wheel, serve

PARTS = [random.Random(seed).randbytes(300_000) for seed in range(2)]
LICENCE = b"Do as you like.\n"


def toml(content: bytes = b"".join(PARTS), *, size: int | None = None, mirror: str | None = None) -> str:
    parts = ", ".join(
        f'{{ wheel = "tiny-part{i}==1.0", member = "tiny_part{i}/data.part" }}' for i in range(2)
    )
    return f"""
[models.tiny]
kind = "llm"
title = "Tiny"
licence = "MIT"
licence_url = "https://example.org/mit"
context_length = 128
template = "chat"
[[models.tiny.files]]
name = "tiny.gguf"
size = {len(content) if size is None else size}
sha256 = "{hashlib.sha256(content).hexdigest()}"
{f'mirror = "{mirror}"' if mirror else ""}
parts = [{parts}]
[[models.tiny.files]]
name = "LICENSE"
size = {len(LICENCE)}
sha256 = "{hashlib.sha256(LICENCE).hexdigest()}"
parts = [{{ wheel = "tiny-part0==1.0", member = "tiny_part0/LICENSE" }}]
"""


def add_part(links: Path, index: int, content: bytes | None = None) -> Path:
    files = {f"tiny_part{index}/data.part": PARTS[index] if content is None else content}
    if index == 0:
        files["tiny_part0/LICENSE"] = LICENCE
    return make_wheel(links, f"tiny-part{index}", "1.0", files)


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, a catalogue with one tiny model, and pip that knows one folder of wheels only."""
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setenv("LONGLEAF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    use(monkeypatch, toml())
    return folder


def use(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    catalogue: Catalogue = parse_catalogue(text)
    monkeypatch.setattr(models, "load_catalogue", lambda: catalogue)


def stock(tmp_path: Path, *contents: bytes) -> None:
    """Puts the wheels where an interrupted pull would have left them, which spares the call of pip."""
    for index, content in enumerate(contents or PARTS):
        add_part(tmp_path / "cache" / "models" / ".partial" / "tiny", index, content)


def leftovers(tmp_path: Path) -> list[str]:
    partial = tmp_path / "cache" / "models" / ".partial"
    return sorted(path.name for path in partial.rglob("*") if path.is_file())


def no_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("offline mode tried to connect")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(subprocess, "run", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)


# -- the catalogue that ships --------------------------------------------------------------------------------


def test_default_models_are_in_the_catalogue() -> None:
    smol, gemma = load_catalogue()["smollm2-135m-instruct"], load_catalogue()["gemma-3-270m"]
    assert smol.files[0].sha256 == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert (smol.licence, smol.context_length, smol.template) == ("Apache-2.0", 8192, "chat")
    assert gemma.files[0].sha256 == "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
    assert (gemma.context_length, gemma.template, len(gemma.files[0].parts)) == (32768, "completion", 4)
    for size, parts in (("1.5", 22), ("0.5", 6)):
        qwen = load_catalogue()[f"qwen2.5-coder-{size}b-instruct"]
        assert (qwen.licence, qwen.context_length, qwen.template) == ("Apache-2.0", 32768, "chat")
        assert len({(part.wheel, part.member) for part in qwen.files[0].parts}) == parts
    assert all(entry.licence_url.startswith("https://") for entry in load_catalogue().values())


def test_a_default_model_on_disk_is_what_the_catalogue_says() -> None:
    model = real_model("smollm2-135m-instruct")
    digest = hashlib.sha256(model.path.read_bytes()).hexdigest()
    assert digest == load_catalogue()["smollm2-135m-instruct"].files[0].sha256
    assert models.path("smollm2-135m-instruct") == model.path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("parts = [{", 'mirror = "hf:org"\nparts = [{', "the mirror 'hf:org' is not"),
        ('kind = "llm"', 'kind = "cat"', "kind must be one of"),
        ('template = "chat"', 'template = "x"', "template does not fit"),
        ('template = "chat"', "", "template does not fit"),
        ("context_length = 128", "", "context_length"),
        ("tiny-part0==1.0", "tiny-part0", "is not name==version"),
        ("tiny-part0==1.0", "--index-url=http://x==1", "is not name==version"),
        ('name = "tiny.gguf"', 'name = "../tiny.gguf"', "bad file name"),
        ('name = "LICENSE"', 'name = "tiny.gguf"', "share a name"),
        ("models.tiny", 'models."../tiny"', "the name may hold"),
        ('sha256 = "', 'sha256 = "F', "64 lower-case hex"),
        ("[models.tiny]", "[models.tiny", "cannot be read"),
    ],
)
def test_a_wrong_catalogue_is_a_named_error(old: str, new: str, message: str) -> None:
    with pytest.raises(CatalogueError, match=message):
        parse_catalogue(toml().replace(old, new))


# -- pulling through pip -------------------------------------------------------------------------------------


def test_pull_joins_the_parts(links: Path, tmp_path: Path) -> None:
    for index in range(2):
        add_part(links, index)
    seen: list[Progress] = []
    model = models.resolve("tiny", progress=seen.append)
    assert model.path.read_bytes() == b"".join(PARTS)
    assert [file.name for file in model.files] == ["tiny.gguf", "LICENSE"]
    assert (model.name, model.licence, model.context_length, model.template) == ("tiny", "MIT", 128, "chat")
    done = [progress.done for progress in seen]
    assert done == sorted(done) and done[-1] == seen[-1].total == 600_000 + len(LICENCE)
    assert leftovers(tmp_path) == []
    assert models.resolve("tiny", offline=True) == model == models.pull("tiny")


def test_whole_parts_of_a_failed_pull_are_reused(links: Path, tmp_path: Path) -> None:
    first = add_part(links, 0)
    with pytest.raises(FetchError, match=r"tiny-part1==1\.0.*\n.*No matching distribution"):
        models.pull("tiny")
    assert not (tmp_path / "cache" / "models" / "tiny" / "tiny.gguf").exists()
    assert first.name in leftovers(tmp_path)
    first.unlink()  # can come from the partial folder only
    add_part(links, 1)
    assert models.pull("tiny").path.read_bytes() == b"".join(PARTS)


def test_a_damaged_part_is_deleted_and_fetched_again(links: Path, tmp_path: Path) -> None:
    stock(tmp_path)
    add_part(links, 1)
    kept = next((tmp_path / "cache").rglob("tiny_part1*.whl"))
    data = bytearray(kept.read_bytes())
    data[len(data) // 2] ^= 0xFF
    kept.write_bytes(data)
    with pytest.raises(ModelError, match=r"tiny_part1-1\.0-py3-none-any\.whl is damaged .* pull tiny again"):
        models.pull("tiny")
    assert models.pull("tiny").path.read_bytes() == b"".join(PARTS)


def test_another_file_than_promised_is_refused(links: Path, tmp_path: Path) -> None:
    stock(tmp_path, PARTS[0], PARTS[0])
    with pytest.raises(ModelError, match=r"has sha256 .* the catalogue says"):
        models.pull("tiny")
    assert leftovers(tmp_path) == []
    assert not models.show("tiny").path


def test_a_file_larger_than_promised_is_refused(
    links: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, toml(size=500_000))
    stock(tmp_path)
    with pytest.raises(ModelError, match="larger than the catalogue says"):
        models.pull("tiny")
    assert not (tmp_path / "cache" / "models" / "tiny" / "tiny.gguf").exists()


def test_a_wheel_without_the_member_is_a_named_error(links: Path, tmp_path: Path) -> None:
    make_wheel(
        tmp_path / "cache" / "models" / ".partial" / "tiny", "tiny-part0", "1.0", {"tiny_part0/other": b""}
    )
    with pytest.raises(ModelError, match=r"has no file tiny_part0/data.part"):
        models.pull("tiny")


def test_only_the_named_members_are_written(links: Path, tmp_path: Path) -> None:
    stock(tmp_path)
    for path in (tmp_path / "cache").rglob("*.whl"):
        with zipfile.ZipFile(path, "a") as wheel:
            wheel.writestr("../../../../escaped.txt", b"x")
            wheel.writestr("/tmp/longleaf-escaped.txt", b"x")
    models.pull("tiny")
    assert not list(tmp_path.rglob("escaped.txt")) and not Path("/tmp/longleaf-escaped.txt").exists()


def test_source_distributions_are_never_built(links: Path, tmp_path: Path) -> None:
    project = tmp_path / "tiny-part0-1.0"
    project.mkdir()
    (project / "setup.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\nfrom setuptools import setup\nsetup()\n"
    )
    (project / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: tiny-part0\nVersion: 1.0\n")
    with tarfile.open(links / "tiny-part0-1.0.tar.gz", "w:gz") as archive:
        archive.add(project, arcname=project.name)
    with pytest.raises(FetchError, match="tiny-part0"):
        models.pull("tiny")
    assert not (tmp_path / "ran").exists()


def test_pull_mends_a_changed_file(links: Path, tmp_path: Path) -> None:
    stock(tmp_path)
    target = models.pull("tiny").path
    target.write_bytes(bytes(600_000))  # same size: only pull looks inside
    assert models.resolve("tiny").path == target
    stock(tmp_path)
    assert models.pull("tiny").path.read_bytes() == b"".join(PARTS)
    target.write_bytes(b"cut")
    with pytest.raises(ModelError, match="not on this machine"):
        models.resolve("tiny", offline=True)
    stock(tmp_path)
    assert models.resolve("tiny").path.read_bytes() == b"".join(PARTS)


def test_several_processes_may_pull_at_once(links: Path, tmp_path: Path) -> None:
    for index in range(2):
        add_part(links, index)
    (tmp_path / "tiny.toml").write_text(toml())
    program = (
        "import sys; from pathlib import Path; from longleaf.engine.models import store;"
        "from longleaf.engine.models.catalogue import parse_catalogue;"
        f"catalogue = parse_catalogue(Path({str(tmp_path / 'tiny.toml')!r}).read_text());"
        "store.load_catalogue = lambda: catalogue;"
        "print(store.resolve('tiny').path)"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    paths = {run.communicate()[0].strip() for run in runs}
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert paths == {str(models.path("tiny"))}
    assert models.path("tiny").read_bytes() == b"".join(PARTS)
    assert leftovers(tmp_path) == []


def test_without_pip_the_error_says_what_to_do(links: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(FetchError, match=r"has no pip.*ensurepip.*uv pip install pip"):
        models.pull("tiny")


def test_an_unwritable_cache_is_a_named_error(
    links: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LONGLEAF_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelError, match="Set LONGLEAF_CACHE"):
        models.pull("tiny")


# -- names, paths, listing -----------------------------------------------------------------------------------


def test_offline_never_connects(links: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with monkeypatch.context() as patched:
        no_connections(patched)
        with pytest.raises(ModelError, match=r"offline mode may not fetch it.*longleaf models pull tiny"):
            models.resolve("tiny", offline=True)
        with pytest.raises(ModelError, match="offline mode may not fetch it"):
            models.resolve("hf:org/repo/file.gguf", offline=True)
        with pytest.raises(ModelError, match="offline mode may not fetch it"):
            models.path("tiny")
    stock(tmp_path)
    models.pull("tiny")
    no_connections(monkeypatch)
    assert models.resolve("tiny", offline=True).path == models.resolve("tiny").path == models.path("tiny")
    models.list_models()


def test_unknown_names_get_suggestions() -> None:
    with pytest.raises(ModelError, match=r"Did you mean gemma-3-270m.*Known: .*smollm2-135m-instruct"):
        models.resolve("gema-270m")
    for call in (models.pull, models.show, models.remove, models.path):
        with pytest.raises(ModelError, match="there is no model 'nonsense'"):
            call("nonsense")


def test_local_files(tmp_path: Path) -> None:
    file = tmp_path / "My Model.gguf"
    file.write_bytes(b"GGUF")
    for given in (file, str(file)):
        model = models.resolve(given, offline=True)
        assert (model.name, model.path, model.licence, model.template) == ("My Model", file, None, None)
    with pytest.raises(ModelError, match="there is no model file"):
        models.resolve(tmp_path / "other.gguf")
    with pytest.raises(ModelError, match="there is no model file"):
        models.resolve("other.gguf")
    with pytest.raises(ModelError, match="is a folder"):
        models.resolve(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "hf:",
        "hf:a/b",
        "hf:a/b/c",
        "hf:a/../x.gguf",
        "hf:a/b/../../x.gguf",
        "hf:../b/x.gguf",
        "hf:a/b//x.gguf",
        "hf:a/b/.gguf/x",
    ],
)
def test_bad_hub_names(name: str) -> None:
    with pytest.raises(ModelError, match=r"write hf:ORG/REPO/FILE.gguf"):
        models.resolve(name)


def test_list_show_and_remove(links: Path, tmp_path: Path) -> None:
    stock(tmp_path)
    before = models.show("tiny")
    assert before.path is None and before.size == 600_000 + len(LICENCE)
    assert before.source == ("tiny-part0==1.0", "tiny-part1==1.0")
    assert before.licence_line == "tiny: MIT (https://example.org/mit)"
    path = models.pull("tiny").path
    assert models.list_models() == [models.show("tiny")]
    assert models.show("tiny").path == path
    assert models.remove("tiny") == before.size
    assert not path.parent.exists()
    with pytest.raises(ModelError, match="nothing to remove"):
        models.remove("tiny")


@pytest.mark.parametrize(
    ("env", "root"),
    [
        ({"LONGLEAF_CACHE": "/a/b"}, Path("/a/b")),
        ({"XDG_CACHE_HOME": "/x"}, Path("/x/longleaf")),
        ({"XDG_CACHE_HOME": "relative"}, Path.home() / ".cache" / "longleaf"),
        ({}, Path.home() / ".cache" / "longleaf"),
    ],
)
def test_cache_root(env: dict[str, str], root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LONGLEAF_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert models.cache_root() == root


# -- a hub on loopback ---------------------------------------------------------------------------------------

NAME = "hf:org/repo/sub/file.gguf"
CONTENT = random.Random(9).randbytes(3_000_000)


@pytest.fixture
def use_hub(links: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Hub], None]:
    def point(hub: Hub) -> None:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.setenv("no_proxy", "127.0.0.1")

    return point


def test_hub_files_are_pulled_checked_and_kept(
    use_hub: Callable[[Hub], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Hub({"org/repo/sub/file.gguf": CONTENT})) as hub:
        use_hub(hub)
        seen: list[Progress] = []
        model = models.resolve(NAME, progress=seen.append)
        assert model.path.read_bytes() == CONTENT
        assert seen[-1].done == seen[-1].total == len(CONTENT)
    no_connections(monkeypatch)
    assert models.resolve(NAME) == models.resolve(NAME, offline=True) == model
    assert [info.name for info in models.list_models()] == ["tiny", NAME]
    assert models.show(NAME).path == model.path
    assert models.remove(NAME) == len(CONTENT)


def test_hub_downloads_resume(use_hub: Callable[[Hub], None], tmp_path: Path) -> None:
    large = CONTENT * 5  # the library writes blocks of 10 MB
    with serve(Hub({"org/repo/sub/file.gguf": large}, break_after=12_000_000)) as hub:
        use_hub(hub)
        try:
            models.pull(NAME)
        except FetchError:  # whether the library tries again by itself depends on its version
            models.pull(NAME)
        assert models.path(NAME).read_bytes() == large
        assert any(not span.startswith("bytes=0-") for span in hub.ranges)
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("etag", ["0" * 64, "0" * 40])
def test_hub_files_that_do_not_match_their_checksum_are_refused(
    use_hub: Callable[[Hub], None], etag: str
) -> None:
    name = "org/repo/sub/file.gguf"
    with serve(Hub({name: CONTENT}, {name: etag})) as hub:
        use_hub(hub)
        with pytest.raises(FetchError, match="does not match the hub's checksum"):
            models.pull(NAME)
        with pytest.raises(ModelError):
            models.path(NAME)
        blob = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT, usedforsecurity=False).hexdigest()
        hub.etags[name] = blob if len(etag) == 40 else hashlib.sha256(CONTENT).hexdigest()
        assert models.pull(NAME).path.read_bytes() == CONTENT


def test_missing_hub_files_and_dead_hubs_are_named_errors(use_hub: Callable[[Hub], None]) -> None:
    with serve(Hub({})) as hub:
        use_hub(hub)
        with pytest.raises(FetchError, match=r"cannot download hf:org/repo/sub/file.gguf"):
            models.pull(NAME)
    with pytest.raises(LongleafError, match=r"cannot download hf:org/repo/sub/file.gguf"):
        models.pull(NAME)  # nobody listens any more


def test_the_mirror_serves_what_the_wheels_cannot(
    use_hub: Callable[[Hub], None], links: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, toml(mirror=NAME))
    add_part(links, 0)  # and no part 1
    whole = b"".join(PARTS)
    with serve(Hub({"org/repo/sub/file.gguf": whole})) as hub:
        use_hub(hub)
        model = models.pull("tiny")
        assert model.path == tmp_path / "cache" / "models" / "tiny" / "tiny.gguf"
        assert model.path.read_bytes() == whole
        assert models.show("tiny").source == ("tiny-part0==1.0", "tiny-part1==1.0", NAME)
    assert leftovers(tmp_path) == []


def test_the_mirror_is_checked_too(
    use_hub: Callable[[Hub], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, toml(mirror=NAME))
    with serve(Hub({"org/repo/sub/file.gguf": CONTENT})) as hub:
        use_hub(hub)
        with pytest.raises(ModelError, match=r"has sha256 .* the catalogue says"):
            models.pull("tiny")
        assert leftovers(tmp_path) == []
        hub.files.clear()
        with pytest.raises(FetchError, match=r"tiny-part0==1\.0(.|\n)*second source failed too: cannot"):
            models.pull("tiny")
