"""Inference policy over the native core: models, tokenizer, templates, sampling."""
