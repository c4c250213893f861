"""What is installed: whether the commit-msg hook of a repository asks for the reason of an edit."""

import os

FRAMEWORK = b"pre-commit.com"
FRAMEWORK_SETTINGS = ".pre-commit-config.yaml"


def asks_for_reason(hook: str, top: str) -> bool:
    """Tell whether the commit-msg hook at a path runs the guard, by itself or through the pre-commit framework."""
    text = read(hook)
    if not os.access(hook, os.X_OK):
        return False
    if b"guard" in text and b"--commit-msg" in text:
        return True
    if FRAMEWORK not in text:
        return False
    settings = read(os.path.join(top, FRAMEWORK_SETTINGS))
    return b"mfgit-message" in settings or (b"guard" in settings and b"--commit-msg" in settings)


def read(path: str) -> bytes:
    """Return the bytes of a file, none when there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
