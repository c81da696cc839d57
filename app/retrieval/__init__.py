"""From a question to the chunks that should answer it: concepts, BM25, dense vectors, fusion, routing."""
