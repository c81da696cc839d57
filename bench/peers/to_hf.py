"""A GGUF of Gemma 3, Llama or Qwen2 as a folder that vLLM and OpenVINO read: config.json, bf16 safetensors.

Run by a Python that has torch, transformers, safetensors and gguf.
Names of the tensors: gguf's constants.py and transformers' modelling files.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gguf
import torch
from safetensors.torch import save_file
from transformers import Gemma3TextConfig, LlamaConfig, Qwen2Config

NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
# Gemma has norms on both sides, and HF's "post_attention_layernorm" means another one there.
GEMMA = {
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
OTHERS = {"ffn_norm": "post_attention_layernorm"}
WHOLE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
CONFIGS = {"gemma3": Gemma3TextConfig, "llama": LlamaConfig, "qwen2": Qwen2Config}
CLASSES = {"gemma3": "Gemma3ForCausalLM", "llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gguf", type=Path)
    parser.add_argument("folder", type=Path)
    a = parser.parse_args()
    reader = gguf.GGUFReader(a.gguf)
    meta = {name: field.contents() for name, field in reader.fields.items() if "tokens" not in name}
    family = meta["general.architecture"]
    tensors = {}
    for tensor in reader.tensors:
        values = torch.from_numpy(gguf.dequantize(tensor.data, tensor.tensor_type).copy())
        name = hf_name(tensor.name, family)
        tensors[name] = hf_values(name, values, family, meta).to(torch.bfloat16).contiguous()
    a.folder.mkdir(parents=True, exist_ok=True)
    save_file(tensors, a.folder / "model.safetensors", metadata={"format": "pt"})
    config(family, meta, tensors).save_pretrained(a.folder)


def hf_name(name: str, family: str) -> str:
    parts = name.split(".")
    if parts[0] != "blk":
        return f"{WHOLE[parts[0]]}.{parts[1]}"
    names = NAMES | (GEMMA if family == "gemma3" else OTHERS)
    return f"model.layers.{parts[1]}.{names[parts[2]]}.{parts[3]}"


def hf_values(name: str, values: torch.Tensor, family: str, meta: dict[str, Any]) -> torch.Tensor:
    if family == "gemma3" and "norm" in name:
        return values - 1  # the GGUF holds what multiplies, HF what is added to one
    for part, count in (("q_proj", "head_count"), ("k_proj", "head_count_kv")):
        if family == "llama" and part in name:  # rows of a head: pairs side by side there, halves here
            heads = meta[f"llama.attention.{count}"]
            return values.view(heads, -1, 2, *values.shape[1:]).transpose(1, 2).reshape(values.shape)
    return values


def config(family: str, meta: dict[str, Any], tensors: dict[str, torch.Tensor]) -> Any:
    def get(key: str, default: Any = None) -> Any:
        return meta.get(f"{family}.{key}", default)

    heads = get("attention.head_count")
    common = {
        "architectures": [CLASSES[family]],
        "vocab_size": tensors["model.embed_tokens.weight"].shape[0],
        "hidden_size": get("embedding_length"),
        "intermediate_size": get("feed_forward_length"),
        "num_hidden_layers": get("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": get("attention.head_count_kv", heads),
        "head_dim": get("attention.key_length", get("embedding_length") // heads),
        "rms_norm_eps": get("attention.layer_norm_rms_epsilon"),
        "max_position_embeddings": get("context_length"),
        "tie_word_embeddings": "lm_head.weight" not in tensors,
        "dtype": "bfloat16",
        "bos_token_id": None,
        "eos_token_id": None,
    }
    theta = get("rope.freq_base", 10000.0)
    if family == "gemma3":
        common |= {
            "sliding_window": get("attention.sliding_window"),
            "query_pre_attn_scalar": common["head_dim"],
            "rope_parameters": {
                "full_attention": {"rope_type": "default", "rope_theta": theta},
                "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
            },
        }
    else:
        common["rope_parameters"] = {"rope_type": "default", "rope_theta": theta}
    return CONFIGS[family](**common)


main()
