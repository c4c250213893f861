"""Hits → one ranking across originals and overlays, their marks, and the block to hand to an assistant."""
