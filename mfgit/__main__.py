"""The command `mfgit`.

`mfgit guard` runs in every hook, so it is reached before anything else is imported: Python's start is most of its cost.
"""

import errno
import gc
import io
import sys

from mfgit.errors import EXIT_BAD_INPUT, EXIT_BROKEN_PIPE, EXIT_BUG, EXIT_INTERRUPTED, MfgitError

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""What the system says when a disk is full, a quota or limit is reached, or nothing may be written."""


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(50_000, 20, 100)  # a command imports much and throws little away
    arguments = sys.argv[1:]
    settle_encoding()
    try:
        if arguments[:1] == ["guard"]:
            from mfgit.guard.command import main as run
        else:
            from mfgit.cli import main as run
        code = run(arguments)
        if sys.stdout:  # None where it is closed
            sys.stdout.flush()
    except MfgitError as error:
        from mfgit.printing import clean

        print(f"mfgit: {clean(str(error))}", file=sys.stderr)
        code = error.exit_code
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except BrokenPipeError:
        code = broken_pipe()
    except Exception as error:
        code = no_room(error) if isinstance(error, OSError) and error.errno in NO_ROOM else report_bug(arguments)
    gc.freeze()  # the end of the process frees all of it faster than a last look for garbage
    sys.exit(code)


def settle_encoding() -> None:
    """Let no character that a stream's encoding lacks stop the output, and no locale without letters spoil names and words.

    Where the locale knows ASCII only (`LC_ALL=C` with Python's UTF-8 mode switched off), arguments and file names would come
    in as loose bytes: Python starts over in its UTF-8 mode, which is what it does by itself in such a locale.
    """
    if sys.getfilesystemencoding() == "ascii" and sys.executable:
        import os

        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - itself, as it was called
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def broken_pipe() -> int:
    """Return the exit code of a program whose reader went away, without a second complaint at shutdown."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_BROKEN_PIPE


def no_room(error: OSError) -> int:
    """Say that something could not be written; what writes does so whole or not at all."""
    print(f"mfgit: {error.filename or 'A file'} cannot be written: {error.strerror}.", file=sys.stderr)
    print("  Free some space and run the command again; nothing was left half-written.", file=sys.stderr)
    return EXIT_BAD_INPUT


def report_bug(arguments: list[str]) -> int:
    """Print a report that can be pasted into an issue."""
    import platform
    import subprocess
    import traceback

    from mfgit import __version__

    try:
        git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        git = "no git"
    print("mfgit: this is a bug in mfgit, not in what you did. Nothing was left half-written.", file=sys.stderr)
    print("Please report it with the lines below; take out what is private.\n", file=sys.stderr)
    print(f"mfgit {__version__}, Python {platform.python_version()}, {git}, {platform.system()}", file=sys.stderr)
    print(f"command: mfgit {' '.join(arguments[:2])}\n", file=sys.stderr)
    traceback.print_exc()
    return EXIT_BUG


if __name__ == "__main__":
    main()
