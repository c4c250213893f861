"""Text from files and conversations as safe to print: what could steer a terminal or forge a line is shown as an escape.

Standard library only.
"""

SPACES = frozenset("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000")
"""Unicode's spaces; Python counts none but the plain one as printable, and Chinese text is set with U+3000."""
JOINERS = frozenset("\u200c\u200d")
"""What binds the parts of an emoji, and letters of some scripts."""

SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def clean(text: str) -> str:
    """Return a text as safe for a terminal; lines and tabs stay."""
    return "".join(c if c in "\n\t" or prints(c) else escaped(c) for c in text)


def clean_line(text: str) -> str:
    """Return a name or a title as safe to print within a line: line breaks and tabs are shown too."""
    return "".join(c if prints(c) else escaped(c) for c in text)


def without_controls(text: str) -> str:
    """Return a text that a program reads on: as it is, but for control characters and loose bytes."""
    return "".join(escaped(c) if is_control(c) or "\ud800" <= c <= "\udfff" else c for c in text)


def is_control(char: str) -> bool:
    """Tell whether a character is a control character other than a line break or a tab."""
    return (char < " " or "\x7f" <= char <= "\x9f") and char not in "\n\t"


def prints(char: str) -> bool:
    """Tell whether a character shows as itself and does nothing else."""
    return char.isprintable() or char in SPACES or char in JOINERS


def escaped(char: str) -> str:
    """Return the escape that stands for a character; for a loose byte of a file name that byte's."""
    if char in SHORT:
        return SHORT[char]
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
