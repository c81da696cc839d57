"""OpenVINO GenAI on a folder exported by optimum-intel; prompts as token ids."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
import openvino
import openvino_genai
from serve import Point, Settings, Timing, serve


def load(settings: Settings) -> tuple[str, Point]:
    pipeline = openvino_genai.LLMPipeline(
        str(settings.model), "CPU", INFERENCE_NUM_THREADS=settings.threads, ATTENTION_BACKEND="SDPA"
    )

    def point(prompt: int, generate: int) -> Timing:
        ids = openvino.Tensor(np.asarray([settings.ids[:prompt]], dtype=np.int64))
        config = openvino_genai.GenerationConfig(max_new_tokens=generate + 1, ignore_eos=True)
        stamps: list[float] = []
        start = time.perf_counter()
        pipeline.generate(ids, config, lambda _: bool(stamps.append(time.perf_counter())))
        return Timing(stamps[0] - start, stamps[-1] - stamps[0])

    point(64, 4)
    return f"openvino-genai {openvino_genai.__version__}", point


serve(load)
