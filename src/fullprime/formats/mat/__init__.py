"""Match texts: ``.mat`` of Jellyfish and its relatives, and reports that look like them."""
