"""Every document read so far in one SQLite file: texts, chunks, vectors, search index, kept runs."""
