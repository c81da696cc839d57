"""Where sentences end and which marks open an item, for every format."""
