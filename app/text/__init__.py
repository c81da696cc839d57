"""What can be said of words alone: sentences, entities, wording, index terms, columns, cross-references."""
