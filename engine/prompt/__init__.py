"""Text to token ids: tokenizer, chat template, and the sandbox hostile templates run in."""
