"""Keeps what the scripts fetch in one folder per user, with pinned checksums and one writer at a time.

Used by `fetch-models` and `python-test-client`. Needs Python 3.9 with pip and nothing besides.
"""

import fcntl
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The versions whose wheels `pin_requirements.py` pins.
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


class Failure(Exception):
    """Says, in one sentence for a person, what went wrong and what to do about it."""


def cache_directory() -> Path:
    """Names Pawl's folder in the user's cache (XDG Base Directory Specification)."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The specification has relative paths ignored.
    root = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
    return root / "pawl"


def sha256(path: Path) -> str:
    """Returns the SHA-256 of a file in hexadecimal, reading one MiB at a time."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def exclusive(lock: Path, subject: str) -> Iterator[None]:
    """Holds an advisory lock on a file; waits, and says so, while another process has it.

    The kernel releases the lock when the process ends, however it ends, so no lock is ever left behind.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(subject, "another process is at it, waiting for it to finish")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def pip(*arguments: str) -> None:
    """Runs this Python's pip with its own progress shown; settings that would redirect it are put aside."""
    environment = {
        **os.environ,
        "PIP_REQUIRE_VIRTUALENV": "0",
        "PIP_USER": "0",
        # Nothing is installed outside the cache, so the warning about running as root does not apply.
        "PIP_ROOT_USER_ACTION": "ignore",
    }
    options = ("--disable-pip-version-check", "--no-input", "--only-binary=:all:", "--require-hashes")
    command, *rest = arguments
    finished = subprocess.run(
        [sys.executable, "-m", "pip", command, *options, *rest], env=environment, stdout=sys.stderr, check=False
    )
    if finished.returncode != 0:
        raise Failure(
            f"`pip {command}` ended with status {finished.returncode} (its own words stand above); "
            "if the package index could not be reached, run this again once it can"
        )


def require_pip() -> None:
    """Refuses early where this Python is not among those with pinned wheels, or has no pip."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if version not in PYTHONS:
        raise Failure(
            f"packages are pinned for Python {PYTHONS[0]} to {PYTHONS[-1]} and this is {version}; "
            "run this script with one of those"
        )
    probe = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False)
    if probe.returncode != 0:
        raise Failure("this Python has no pip; on Debian or Ubuntu run `apt-get install python3-pip`, then this again")


def say(subject: str, text: str) -> None:
    """Prints one line of progress on standard error, which leaves standard output to results."""
    print(f"{subject}: {text}", file=sys.stderr, flush=True)


def readable_size(size: int) -> str:
    """Writes a size in bytes the way package indexes do (1 MB = 1,000 kB = 1,000,000 bytes)."""
    return f"{size / 1e6:.1f} MB" if size >= 1_000_000 else f"{size / 1e3:.1f} kB"


def leave_cleanly_when_told() -> None:
    """Turns the signals that end a process into an exit that runs clean-up code."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _frame: sys.exit(128 + received))
