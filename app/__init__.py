"""What a person can ask for: summaries, answers, the Library, citations and their verification."""
