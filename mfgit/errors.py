"""What can go wrong, in one sentence each, and the exit code it earns.

Exit codes: 0 yes or done, 1 the answer is no (`Refusal`), 2 used wrongly or bad input (`BadInput`), 3 a bug in mfgit,
130 interrupted, 141 when the reader of the output went away.
"""

EXIT_OK = 0
EXIT_NO = 1
EXIT_BAD_INPUT = 2
EXIT_BUG = 3
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class MfgitError(Exception):
    """A failure that the user can act on.

    `message` is one sentence that says what is wrong and where; `hint`, when given, is the next command or step.
    """

    exit_code = EXIT_BAD_INPUT

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Return the sentence, and the hint on a line of its own."""
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class BadInput(MfgitError):
    """Something given to mfgit cannot be used: an argument, a file, a repository, a disk."""


def not_installed(what: str, extra: str) -> BadInput:
    """Return the error of something that needs an optional library, with the line that installs the extra it comes with."""
    line = f'pip install "mfgit[{extra}]"'
    again = f'pipx install --force "mfgit[{extra}]" or uv tool install "mfgit[{extra}]"'
    return BadInput(f"{what}, which is not installed.", f"Install it: {line} (where mfgit is a tool of its own: {again})")


class Missing(BadInput):
    """What was named by an id is not there: a reply, a conversation."""


class Refusal(MfgitError):
    """The request was understood and the answer is no."""

    exit_code = EXIT_NO
