"""Questions answered with the words that answer them, or not at all."""
