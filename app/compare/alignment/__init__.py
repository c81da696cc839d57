"""Which words of one version are which of the other, whatever the layout did to them."""
