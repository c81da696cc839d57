"""Tiny wheels, as pip accepts them, and a hub on loopback that serves files as Hugging Face does."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


def make_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> Path:
    """A wheel that requires a package no index has, so that fetching dependencies would fail."""
    stem = f"{name.replace('-', '_')}-{version}"
    path = folder / f"{stem}-py3-none-any.whl"
    folder.mkdir(parents=True, exist_ok=True)
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: not-to-be-found\n"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for member, content in files.items():
            wheel.writestr(member, content)
        wheel.writestr(f"{stem}.dist-info/METADATA", metadata)
        tags = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        wheel.writestr(f"{stem}.dist-info/WHEEL", tags)
        wheel.writestr(f"{stem}.dist-info/RECORD", "")
    return path


@dataclass
class Hub:
    """What it serves; the tests may change it while it runs."""

    files: dict[str, bytes]  # "org/repo/path" to content
    etags: dict[str, str] = field(default_factory=dict)  # other than the sha256 of the content
    break_after: int | None = None  # close the next download after so many bytes
    ranges: list[str] = field(default_factory=list)  # Range headers that came
    url: str = ""


@contextmanager
def serve(hub: Hub) -> Iterator[Hub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            repo, _, rest = self.path.lstrip("/").partition("/resolve/")
            name = f"{repo}/{rest.partition('/')[2]}"
            content = hub.files.get(name)
            if content is None:
                self.send_response(404)
                self.send_header("X-Error-Code", "EntryNotFound")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            start = 0
            if span := self.headers.get("Range"):
                hub.ranges.append(span)
                start = int(span.removeprefix("bytes=").split("-")[0])
            self.send_response(206 if start else 200)
            etag = hub.etags.get(name, hashlib.sha256(content).hexdigest())
            self.send_header("ETag", f'"{etag}"')
            self.send_header("X-Repo-Commit", "c" * 40)
            self.send_header("Accept-Ranges", "bytes")
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            if not body:
                return
            if hub.break_after is not None:
                self.wfile.write(content[start : start + hub.break_after])
                hub.break_after = None
                self.close_connection = True
                return
            self.wfile.write(content[start:])

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
