"""Starts the review page: on this machine only, without telemetry, without a connection to anywhere else."""

from __future__ import annotations

import argparse
from pathlib import Path

MAX_UPLOAD_MB = 200
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def run(
    port: int,
    host: str = "127.0.0.1",
    *,
    file: Path | None = None,
    library: Path | None = None,
    model: str | None = None,
    offline: bool = False,
) -> None:
    """Serves the page until the process is interrupted."""
    from streamlit.web import bootstrap

    options: dict[str, object] = {
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.maxUploadSize": MAX_UPLOAD_MB,
        "server.fileWatcherType": "none",
        "server.showEmailPrompt": False,
        "browser.gatherUsageStats": False,
        "client.toolbarMode": "minimal",
        "client.showErrorDetails": "type",
        "theme.base": "light",
        "theme.primaryColor": "#1d5c86",
    }
    if host in LOOPBACK:  # a web page elsewhere must not reach this server by a name that resolves to it
        options["server.allowedHosts"] = list(LOOPBACK)
    arguments = ["--offline"] if offline else []
    for flag, value in (("--library", library), ("--model", model)):
        arguments += [flag, str(value)] if value is not None else []
    if file is not None:
        arguments += ["--", str(file.resolve())]
    bootstrap.load_config_options(flag_options=options)
    bootstrap.run(str(Path(__file__).with_name("page.py")), False, arguments, options)


def main() -> None:
    parser = argparse.ArgumentParser(prog="longleaf ui", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a document to open")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--offline", action="store_true")
    options = parser.parse_args()
    run(
        options.port,
        options.host,
        file=options.file,
        library=options.library,
        model=options.model,
        offline=options.offline,
    )


if __name__ == "__main__":
    main()
