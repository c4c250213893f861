"""Turns become clusters, clusters become classified proposals. Pure: what it needs of the outside is handed in."""
