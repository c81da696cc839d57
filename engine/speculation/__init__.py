"""Several tokens a step: drafts from a model or from the text itself."""
