"""Office packages: ZIP files of XML parts, each read within a limit and without what XML may pull in."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

import lxml.etree

from longleaf.ingest.errors import IngestError

_MOST_PART = 96 << 20  # bytes of one part; a contract of 300 pages has some 4 MiB
_MOST_ALL = 256 << 20
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


class Package:
    """The parts of an OOXML file. Its errors name the part."""

    def __init__(self, file: Any, name: str) -> None:
        self._name = name
        self._left = _MOST_ALL
        self.damaged: list[str] = []  # what is wrong with parts that were left out
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise IngestError(
                f"{name}: the ZIP directory is damaged ({error}); get the file again"
            ) from error
        self._names = {n.lstrip("/").lower(): n for n in self._zip.namelist()}

    def has(self, part: str) -> bool:
        return part.lower() in self._names

    def data(self, part: str) -> bytes:
        """The bytes of a part. Raises IngestError if it is missing, damaged, encrypted or too large."""
        where = f"{self._name}: its part {part}"
        if not self.has(part):
            raise IngestError(f"{where} is missing; the file is damaged, get or export it again")
        limit = min(_MOST_PART, self._left)
        try:
            with self._zip.open(self._names[part.lower()]) as member:
                data = member.read(limit + 1)
        except RuntimeError as error:
            raise IngestError(f"{where} is encrypted; save a copy without a password") from error
        except _DAMAGED as error:
            raise IngestError(f"{where} is damaged ({error}); get or export the file again") from error
        if len(data) > limit:
            raise IngestError(f"{where} is larger than {limit >> 20} MiB once unpacked, which is not read")
        self._left -= len(data)
        return data

    def xml(self, part: str) -> Any:
        """The root element of a part. Raises IngestError if it is not well-formed."""
        return parse_xml(self.data(part), f"{self._name}: its part {part}")

    def optional(self, part: str) -> Any:
        """The root of a part that the rest can be read without; None, and in `damaged`, if it is damaged."""
        try:
            return self.xml(part) if self.has(part) else None
        except IngestError as error:
            self.damaged.append(str(error))
            return None

    def elements(self, part: str, name: str) -> Iterator[Any]:
        """The elements of that name, each gone when the next one is asked for: a large part is never held.

        Raises IngestError where the part is damaged.
        """
        where = f"{self._name}: its part {part}"
        if not self.has(part):
            raise IngestError(f"{where} is missing; the file is damaged, get or export it again")
        try:
            with self._zip.open(self._names[part.lower()]) as member:
                found = lxml.etree.iterparse(
                    member, tag=f"{{*}}{name}", resolve_entities=False, no_network=True, load_dtd=False
                )
                for _, element in found:
                    yield element
                    element.clear()
                    parent = element.getparent()
                    while parent is not None and parent[0] is not element:
                        del parent[0]
        except RuntimeError as error:
            raise IngestError(f"{where} is encrypted; save a copy without a password") from error
        except (lxml.etree.XMLSyntaxError, *_DAMAGED) as error:
            raise IngestError(f"{where} is damaged ({error}); get or export the file again") from error

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """Of each relation id of a part: the last word of its type, and the part it points to."""
        folder, base = posixpath.split(part)
        path = posixpath.join(folder, "_rels", base + ".rels")
        if not self.has(path):
            return {}
        found: dict[str, tuple[str, str]] = {}
        root = self.optional(path)
        for relation in () if root is None else root:
            if not isinstance(relation.tag, str) or relation.get("TargetMode") == "External":
                continue
            target = posixpath.normpath(posixpath.join("/" + folder, relation.get("Target") or "")).lstrip(
                "/"
            )
            found[relation.get("Id") or ""] = ((relation.get("Type") or "").rsplit("/", 1)[-1], target)
        return found

    def main_part(self, default: str) -> str:
        for kind, target in self.relations("").values():
            if kind == "officeDocument" and self.has(target):
                return target
        return default


def metadata(package: Package) -> dict[str, str]:
    """Title, author and dates of a package, as far as it says them."""
    names = {"title", "creator", "subject", "keywords", "created", "modified", "lastModifiedBy"}
    root = package.optional("docProps/core.xml")
    return {
        local(e).lower(): e.text.strip()[:1000]
        for e in (() if root is None else root)
        if local(e) in names and (e.text or "").strip()
    }


def parse_xml(data: bytes, where: str) -> Any:
    """The root of an XML text, without entities, DTDs or network. Raises IngestError naming the place."""
    parser = lxml.etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        return lxml.etree.fromstring(data, parser)
    except lxml.etree.XMLSyntaxError as error:
        line = error.lineno or 0
        raise IngestError(
            f"{where} is damaged at line {line} ({error.msg}); get or export the file again"
        ) from error


def local(element: Any) -> str:
    """The tag without its namespace: strict and transitional files differ in nothing else."""
    tag = element.tag
    return tag.rsplit("}", 1)[-1] if isinstance(tag, str) else ""


def value(element: Any, name: str = "val", default: str = "") -> str:
    """An attribute, whatever its namespace."""
    if element is None:
        return default
    for key, held in element.attrib.items():
        if key.rsplit("}", 1)[-1] == name:
            return str(held)
    return default


def child(element: Any, name: str) -> Any:
    """The first child of that name, or None."""
    if element is None:
        return None
    return next((c for c in element if local(c) == name), None)
