"""The merged tree: a ref's originals and overlays as passages, read from Git objects only."""
