"""Runs the tests of AMX on an emulated Sapphire Rapids: `python -m tests.native.guest.bochs KERNEL BOCHS`.

KERNEL is a Linux image as for run.py, 5.16 or later, BOCHS the folder of Bochs 3.0 (Debian 13 has its
source), mended and built like this:

    apt-get source --download-only bochs && tar xf bochs_3.0*.orig.tar.xz
    patch -p1 -d bochs-3.0 < tests/native/guest/bochs.patch
    cd bochs-3.0 && ./configure --enable-cpu-level=6 --enable-x86-64 --enable-avx --enable-evex --enable-amx \
      --enable-protection-keys --enable-pci --enable-all-optimizations --disable-docbook --with-nogui
    make
    apt-get install grub-pc-bin grub-common xorriso     # they make the disc that it boots

As it stands Bochs 3.0 has AMX that Linux does not use: extended feature disable (XFD) is missing. The patch
adds it, and mends the signs of bytes in TDPBSSD, TDPBSUD and TDPBUSD, the encoding of STTILECFG, and how
tiles and their configuration are saved. TDPBF16PS and all else is as its authors wrote it.

The guest boots into a static program, tests/native/guest/amx.cpp, with small models beside it, and takes some
minutes: every instruction is interpreted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.native.guest.run import archive, built_guest, passed
from tests.support.gguf_maker import WEIGHT_TYPES, tiny_model, write_model

MIB = 512
SECONDS = 3600
# Bochs cannot leave system management mode with five-level page tables. Its processor has fast short copies
# (FSRM, 18 * 32 + 4) but not those of any length (ERMS), which the kernel's memmove has no way for.
KERNEL_OPTIONS = "console=ttyS0 quiet no5lvl clearcpuid=580"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kernel", type=Path)
    parser.add_argument("bochs", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image = archive(built_guest("amx_guest"), small_models(folder))
        return 0 if boot(options.bochs, disc(folder, options.kernel, image), folder) else 1


def small_models(folder: Path) -> list[Path]:
    """One of every weight type, and one whose layers see a window, by type."""
    models = [
        write_model(folder / f"{kind}.gguf", tiny_model("llama", kind, n_layer=1)) for kind in WEIGHT_TYPES
    ]
    windowed = tiny_model("gemma3", "F32", n_layer=2, sliding_window=20)
    return [*models, write_model(folder / "F32-windowed.gguf", windowed)]


def disc(folder: Path, kernel: Path, image: bytes) -> Path:
    """A disc that GRUB boots KERNEL from, with this initramfs."""
    boot = folder / "disc" / "boot"
    (boot / "grub").mkdir(parents=True)
    (boot / "kernel").write_bytes(kernel.read_bytes())
    (boot / "initrd").write_bytes(image)
    (boot / "grub" / "grub.cfg").write_text(
        f"linux /boot/kernel {KERNEL_OPTIONS}\ninitrd /boot/initrd\nboot\n"
    )
    path = folder / "guest.iso"
    command = ["grub-mkrescue", "-o", str(path), str(folder / "disc")]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{made.stderr}")
    return path


def configuration(bochs: Path, iso: Path, serial: Path) -> str:
    bios = bochs / "bios"
    return f"""\
config_interface: textconfig
display_library: nogui
cpu: model=sapphire_rapids, count=1, ips=50000000
megs: {MIB}
romimage: file="{bios / "bios.bin-1.13.0"}"
vgaromimage: file="{bios / "vgabios-cirrus.bin-1.13.0"}"
ata0: enabled=1
ata0-master: type=cdrom, path="{iso}", status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev="{serial}"
log: "{serial.with_name("bochs.log")}"
panic: action=fatal
"""


def boot(bochs: Path, iso: Path, folder: Path) -> bool:
    """Shows what the guest prints; whether it ran to the end and no check failed."""
    settings, serial = folder / "bochsrc", folder / "serial"
    settings.write_text(configuration(bochs, iso, serial))
    command = [str(bochs / "bochs"), "-q", "-f", str(settings)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as guest:
        try:
            for line in lines(serial, guest):
                print(line, flush=True)
                if (result := passed(line)) is not None:
                    return result
                if "Kernel panic" in line:
                    break
        finally:
            guest.kill()
    print((folder / "bochs.log").read_text(errors="replace")[-2000:], file=sys.stderr)
    return False


def lines(serial: Path, guest: subprocess.Popen[bytes]) -> Iterator[str]:
    """What the guest writes, until it ends or has taken too long."""
    end = time.monotonic() + SECONDS
    rest = b""
    with os.fdopen(os.open(serial, os.O_RDONLY | os.O_CREAT, 0o600), "rb") as file:
        while time.monotonic() < end:
            ended = guest.poll() is not None
            rest += file.read()
            *whole, rest = rest.split(b"\n")
            yield from (line.decode(errors="replace").rstrip() for line in whole)
            if ended:
                return
            time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main())
