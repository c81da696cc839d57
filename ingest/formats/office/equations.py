"""Equations of Word (ECMA-376 part 1, 22.1) on one line: "a/b", "x^2", "√(x+1)"."""

from __future__ import annotations

from typing import Any

from longleaf.ingest.formats.office.package import child, local, value

_MAX_DEPTH = 40


def linear(element: Any, depth: int = 0) -> str:
    """What an element of an equation says."""
    if depth > _MAX_DEPTH:
        return "".join(element.itertext())
    kind = local(element)
    if kind == "t":
        return element.text or ""
    if kind.endswith("Pr") or kind in ("del", "moveFrom"):
        return ""

    def of(name: str) -> str:
        found = child(element, name)
        return "" if found is None else linear(found, depth + 1)

    def every(name: str) -> list[str]:
        return [linear(part, depth + 1) for part in element if local(part) == name]

    if kind == "f":
        return f"{_grouped(of('num'))}/{_grouped(of('den'))}"
    if kind in ("sSup", "sSub", "sSubSup"):
        return of("e") + _scripts(of("sub"), of("sup"))
    if kind == "limLow":
        return of("e") + _scripts(of("lim"), "")
    if kind == "limUpp":
        return of("e") + _scripts("", of("lim"))
    if kind == "sPre":
        return _scripts(of("sub"), of("sup")) + of("e")
    if kind == "rad":
        return f"{of('deg')}√{_grouped(of('e'))}"
    if kind == "nary":
        return f"{_mark(element, 'chr', '∫')}{_scripts(of('sub'), of('sup'))} {of('e')}"
    if kind == "d":
        inside = _mark(element, "sepChr", "|").join(every("e"))
        return f"{_mark(element, 'begChr', '(')}{inside}{_mark(element, 'endChr', ')')}"
    if kind == "func":
        return f"{of('fName')} {of('e')}"
    if kind == "m":
        return "; ".join(every("mr"))
    if kind == "mr":
        return " ".join(every("e"))
    if kind == "eqArr":
        return "; ".join(every("e"))
    return "".join(linear(part, depth + 1) for part in element)


def _mark(element: Any, name: str, default: str) -> str:
    properties = child(element, f"{local(element)}Pr")
    found = child(properties, name)
    return default if found is None else value(found)


def _grouped(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() or text[:1] + text[-1:] == "()" else f"({text})"


def _scripts(below: str, above: str) -> str:
    return (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
