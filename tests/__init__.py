"""The project's own tests, one file a module."""
