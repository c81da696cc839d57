"""Which model does which job unless told otherwise; chosen by measurement, see docs/models.md."""

from __future__ import annotations

# Ranks candidate spans and sentences, and writes what is then verified.
LANGUAGE_MODEL = "gemma-3-270m"
CHAT_MODEL = "smollm2-135m-instruct"  # follows instructions, which the ranking model was not trained to
EMBEDDING_MODEL = "minilm-l6-v2-int8"
ALL_MODELS = (LANGUAGE_MODEL, EMBEDDING_MODEL)
