"""Runs the NUMA tests in a virtual machine of three nodes: `python -m tests.native.guest.run KERNEL`.

Needs qemu-system-x86_64, a C++ compiler with static libraries, CMake and a built tree (.ci/dev). KERNEL is a
Linux image with NUMA, memory policies, cpusets and a serial console built in. On Debian:

    apt-get install qemu-system-x86
    apt-get download linux-image-cloud-amd64   # says which package it depends on; download that one
    dpkg-deb -x linux-image-*-cloud-amd64_*.deb kernel    # KERNEL is kernel/boot/vmlinuz-*

No package is installed in the guest: it boots into a static program, tests/native/guest/numa.cpp, that has
small models beside it (or --model FILE), and ends itself. The processor is emulated, which takes minutes; it
has AVX2 and no more, so this is also a test of the core on such a machine.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.gguf_maker import tiny_model, write_model

ROOT = Path(__file__).resolve().parents[3]
NODES = 3
MIB_PER_NODE = 384
SECONDS = 900


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kernel", type=Path)
    parser.add_argument("--model", type=Path, action="append", help="GGUF file instead of the small ones")
    parser.add_argument("--memory", type=int, default=MIB_PER_NODE, help="MiB of each node")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "initrd"
        models = options.model or small_models(Path(folder))
        image.write_bytes(archive(built_guest("numa_guest"), models))
        return 0 if boot(options.kernel, image, options.memory) else 1


def small_models(folder: Path) -> list[Path]:
    """One whose heads divide evenly among two nodes, and one with a single KV head and windowed layers."""
    return [
        write_model(folder / "even.gguf", tiny_model("llama", "Q8_0", n_ctx=2048, n_layer=1)),
        write_model(folder / "single.gguf", tiny_model("gemma3", "Q4_0", n_ctx=2048, n_head_kv=1)),
    ]


def built_guest(target: str) -> Path:
    build = ROOT / "build" / "cmake"
    subprocess.run(["cmake", "--build", build, "--target", target], check=True, stdout=sys.stderr)
    return build / target


def archive(program: Path, models: list[Path]) -> bytes:
    """An initramfs: https://docs.kernel.org/driver-api/early-userspace/buffer-format.html"""
    parts = [
        entry("dev", 0o040755),
        entry("dev/console", 0o020600, device=(5, 1)),
        entry("models", 0o040755),
        entry("init", 0o100755, program.read_bytes()),
        *(entry(f"models/{model.name}", 0o100644, model.read_bytes()) for model in models),
        entry("TRAILER!!!", 0),
    ]
    return b"".join(parts)


def entry(name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> bytes:
    path = name.encode() + b"\0"
    # inode, mode, uid, gid, links, mtime, size, device of the file, device it is, name's size, checksum
    fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(path), 0]
    head = b"070701" + b"".join(b"%08x" % field for field in fields) + path
    return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)


def command(kernel: Path, image: Path, mib: int) -> list[str]:
    numa = []
    for node in range(NODES):
        numa += ["-object", f"memory-backend-ram,id=m{node},size={mib}M"]
        numa += ["-numa", f"node,nodeid={node},memdev=m{node}"]
    for cpu in range(4):  # of two sockets with two cores, numbered over the nodes in turn
        numa += ["-numa", f"cpu,node-id={cpu % 2},socket-id={cpu // 2},core-id={cpu % 2},thread-id=0"]
    return [
        "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max",
        "-smp", "4,sockets=2,cores=2", "-m", str(NODES * mib), *numa,
        "-kernel", str(kernel), "-initrd", str(image), "-append", "console=ttyS0 quiet panic=-1",
        "-display", "none", "-nodefaults", "-no-reboot", "-serial", "stdio",
    ]  # fmt: skip


def boot(kernel: Path, image: Path, mib: int) -> bool:
    """Shows what the guest prints; whether it ran to the end and no check failed."""
    result = False
    with subprocess.Popen(
        ["timeout", "--foreground", str(SECONDS), *command(kernel, image, mib)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as guest:
        assert guest.stdout is not None
        for line in guest.stdout:
            print(line.rstrip(), flush=True)
            result = passed(line) or result
    return result


def passed(line: str) -> bool | None:
    """What a guest's last line says; None if this is none."""
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", line.strip())
    return None if counts is None else int(counts[1]) > 0 and int(counts[2]) == 0


if __name__ == "__main__":
    sys.exit(main())
