"""House rules on Discord: pages, changes, suggestions, alarms."""
