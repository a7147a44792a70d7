"""The page of `gnau practice`: Discord's client as NiceGUI draws it. `mount` puts it on a stand-in."""
