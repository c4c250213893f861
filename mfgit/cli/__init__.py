"""The command line. One module a command; a command reads arguments, calls one function, prints, exits."""

from mfgit.cli.group import main

__all__ = ["main"]
