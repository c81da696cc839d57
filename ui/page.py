"""The script that Streamlit runs for every session, with the arguments that `launch` gives it."""

from __future__ import annotations

import argparse
from pathlib import Path

from longleaf.ui.review import Settings, show

parser = argparse.ArgumentParser()
parser.add_argument("file", nargs="?", type=Path)
parser.add_argument("--library", type=Path)
parser.add_argument("--model")
parser.add_argument("--offline", action="store_true")
arguments = parser.parse_args()
show(Settings(arguments.library, arguments.model, arguments.offline), arguments.file)
