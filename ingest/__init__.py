"""Files to Documents, chunks and contexts."""
