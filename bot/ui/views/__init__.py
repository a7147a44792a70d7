"""What members see: layouts made of a table's state. Nothing here asks, decides, or remembers."""
