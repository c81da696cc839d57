"""vLLM's CPU backend on a folder made by bench/peers/to_hf.py; prefix caching off, prompts as token ids."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from serve import Point, Settings, Timing, serve


def load(settings: Settings) -> tuple[str, Point]:
    os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "4")
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    os.environ["VLLM_ALLOW_LONG_MAX_MODEL_LEN"] = "1"  # decode after a prompt of the whole trained length
    import vllm
    from vllm import LLM, SamplingParams

    llm = LLM(
        model=str(settings.model),
        dtype="bfloat16",
        skip_tokenizer_init=True,
        enable_prefix_caching=False,
        max_model_len=settings.ctx_size,
        max_num_seqs=1,
        disable_log_stats=False,
    )

    def point(prompt: int, generate: int) -> Timing:
        sampling = SamplingParams(temperature=0.0, max_tokens=generate + 1, ignore_eos=True, detokenize=False)
        start = time.perf_counter()
        output = llm.generate({"prompt_token_ids": settings.ids[:prompt]}, sampling, use_tqdm=False)[0]
        total = time.perf_counter() - start
        if len(output.outputs[0].token_ids) != generate + 1:
            raise RuntimeError(f"{len(output.outputs[0].token_ids)} tokens instead of {generate + 1}")
        decode = output.metrics.last_token_ts - output.metrics.first_token_ts
        return Timing(total - decode, decode)

    point(64, 4)
    return f"vllm {vllm.__version__}", point


if __name__ == "__main__":
    serve(load)
