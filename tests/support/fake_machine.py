"""sysfs trees of machines that are not here."""

from __future__ import annotations

import os
from pathlib import Path


def machine(
    root: Path,
    cpus: dict[int, tuple[int, int]],
    nodes: dict[int, tuple[str, int]],
    *,
    online: str | None = None,
    distances: dict[int, str] | None = None,
) -> Path:
    """`cpus` have a package and a core, `nodes` a list of CPUs and GiB of memory, half of it available."""
    cpu_root, node_root = root / "devices/system/cpu", root / "devices/system/node"
    for cpu, (package, core) in cpus.items():
        folder = cpu_root / f"cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "physical_package_id").write_text(f"{package}\n")
        (folder / "core_id").write_text(f"{core}\n")
    cpu_root.mkdir(parents=True, exist_ok=True)
    (cpu_root / "online").write_text((online or ",".join(map(str, cpus))) + "\n")
    for node, (listed, gib) in nodes.items():
        folder = node_root / f"node{node}"
        folder.mkdir(parents=True)
        (folder / "cpulist").write_text(listed + "\n")
        eighth = (gib << 20) // 8
        (folder / "meminfo").write_text(
            f"Node {node} MemTotal:       {gib << 20} kB\nNode {node} MemFree:  {2 * eighth} kB\n"
            f"Node {node} MemUsed: 7 kB\nNode {node} Active(anon): 9 kB\n"
            f"Node {node} Active(file): {eighth} kB\nNode {node} Inactive(file): {eighth} kB\n"
        )
        if distances:
            (folder / "distance").write_text(distances[node] + "\n")
    if nodes:
        (node_root / "online").write_text(",".join(map(str, nodes)) + "\n")
    return root


def two_nodes_here(root: Path) -> Path:
    """The CPUs of this machine as if they were on two nodes in turn."""
    cpus = sorted(os.sched_getaffinity(0))
    return machine(
        root,
        {cpu: (cpu % 2, cpu // 2) for cpu in cpus},
        {node: (",".join(str(cpu) for cpu in cpus if cpu % 2 == node), 64) for node in (0, 1)},
    )
