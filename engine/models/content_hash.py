"""What a large file contains, as one hash, remembered for as long as the file is not touched."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from longleaf.engine.atomic_files import read_json, write_whole
from longleaf.engine.models.store import cache_root

_BLOCK = 8 << 20
_REMEMBERED = 256  # files


def content_hash(path: Path) -> str:
    """BLAKE2b of a file's content, of blocks of 8 MiB side by side and then of their digests; 32 hex digits.

    All of it is read: a sample would not tell two fine-tunes apart. The hash is remembered in the cache
    folder by device, inode, size and times of the file. Raises OSError.
    """
    with path.open("rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        stamp = f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"
        memory = cache_root() / "content_hashes.json"
        known = _read(memory)
        if stamp in known:
            return known[stamp]

        def digest(at: int) -> bytes:
            return blake2b(os.pread(file.fileno(), _BLOCK, at), digest_size=16).digest()

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            digests = pool.map(digest, range(0, status.st_size, _BLOCK))
            whole = blake2b(b"".join(digests), digest_size=16).hexdigest()
    known[stamp] = whole
    with suppress(OSError):  # where it cannot be written the hash is computed again next time
        memory.parent.mkdir(parents=True, exist_ok=True)
        write_whole(memory, json.dumps(dict(list(known.items())[-_REMEMBERED:]), indent=0))
    return whole


def _read(memory: Path) -> dict[str, str]:
    known = read_json(memory)
    return known if isinstance(known, dict) and all(isinstance(each, str) for each in known.values()) else {}
