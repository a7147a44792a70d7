"""What only SQLite knows: the file and its lock, connections, damage, backups, upgrades, erasing."""
