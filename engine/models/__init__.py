"""Models on this machine: catalogue, fetching, checksums, load options."""
