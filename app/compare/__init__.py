"""Two versions or many contracts side by side: what changed, what it means, where it stands in both."""
