"""Results as documents for people, and the words they are told in."""
