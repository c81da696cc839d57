"""The types that _native.pyi promises are those that the module has."""

from __future__ import annotations

import ast
from pathlib import Path

from longleaf import _native

STUB = Path(__file__).parents[2] / "native" / "longleaf" / "_native.pyi"


def public(names: list[str]) -> set[str]:
    return {name for name in names if not name.startswith("_")}


def test_stub_and_module_have_the_same_names() -> None:
    tree = ast.parse(STUB.read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert public(dir(_native)) == {*classes, *functions}
    for name, node in classes.items():
        if not issubclass(getattr(_native, name), Exception):
            members = [member.name for member in node.body if isinstance(member, ast.FunctionDef)]
            assert public(dir(getattr(_native, name))) == public(members), name
