"""Text recognition of pictures of pages."""
