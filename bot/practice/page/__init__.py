"""The page of `gnau practice`: Discord's client in the browser. `mount` adds it to a stand-in."""
