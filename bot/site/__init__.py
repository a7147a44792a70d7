"""A static site of a server: its pages, as `gnau site` writes them."""
