#!/usr/bin/env python3
"""Pins the packages of a `requirements.in` and all they need, with the checksum of every wheel a user may get.

    scripts/pin_requirements.py scripts/convert-requirements.in scripts/convert-requirements.txt
    scripts/pin_requirements.py tests/python/requirements.in tests/python/requirements.txt

Downloads the wheels for each supported Python and processor (some hundred MB), so it is run by hand when a version
changes and its result is committed. Versions that are not named in the input are the newest that fit.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from user_cache import PYTHONS, sha256

PROCESSORS = ("x86_64", "aarch64")
# The C libraries of Debian 12, Ubuntu 22.04 and later can run wheels built for any of these.
PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_26", "manylinux_2_27", "manylinux_2_28")


def main() -> None:
    """Reads the file named first on the command line and writes the one named second."""
    parser = argparse.ArgumentParser(description="Pin Python packages with the checksums of their wheels.")
    parser.add_argument("input", type=Path, help="the packages asked for, with their versions")
    parser.add_argument("output", type=Path, help="the requirements file to write")
    arguments = parser.parse_args()

    pins: dict[tuple[str, str], dict[str, set[str]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for python in PYTHONS:
            for processor in PROCESSORS:
                wheels = Path(folder) / f"{python}-{processor}"
                download(arguments.input, python, processor, wheels)
                for wheel in wheels.iterdir():
                    name, version = wheel.name.split("-")[:2]
                    pin = pins.setdefault((name.replace("_", "-").lower(), version), {})
                    pin.setdefault(sha256(wheel), set()).add(python)
    arguments.output.write_text(requirements(pins, arguments.input), encoding="utf-8")


def download(requirements_in: Path, python: str, processor: str, folder: Path) -> None:
    """Fetches the wheels one kind of machine would get."""
    print(f"pin: Python {python} on {processor}", file=sys.stderr, flush=True)
    # pip reads environment markers against the Python it runs on, so they are settled here.
    wanted = folder.with_suffix(f".{processor}.in")
    wanted.write_text("\n".join(settle(requirements_in, python)), encoding="utf-8")
    platforms = [option for tag in PLATFORMS for option in ("--platform", f"{tag}_{processor}")]
    target = ["--implementation", "cp", "--python-version", python, *platforms]
    options = ["--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--dest", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "download", *options, *target, "-r", str(wanted)], check=True)


def settle(requirements_in: Path, python: str) -> list[str]:
    """Returns the lines of the input that hold for a Python version, without their markers."""
    minor = int(python.split(".")[1])
    holds = {'python_version < "3.11"': minor < 11, 'python_version >= "3.11"': minor >= 11, "": True}
    lines = []
    for line in requirements_in.read_text(encoding="utf-8").splitlines():
        requirement, _, marker = line.partition("#")[0].partition(";")
        if requirement.strip() and holds[marker.strip()]:
            lines.append(requirement.strip())
    return lines


def requirements(pins: dict[tuple[str, str], dict[str, set[str]]], source: Path) -> str:
    """Writes the pinned file; a package with two versions gets a marker for the Pythons of each."""
    lines = [f"# Written by scripts/pin_requirements.py from {source.name}; change that file and run it again."]
    names = [name for name, _ in pins]
    for (name, version), hashes in sorted(pins.items()):
        line = f"{name}=={version}"
        if names.count(name) > 1:
            pythons = sorted(set().union(*hashes.values()), key=PYTHONS.index)
            line += "; " + " or ".join(f'python_version == "{python}"' for python in pythons)
        lines.append(" \\\n".join([line, *(f"    --hash=sha256:{digest}" for digest in sorted(hashes))]))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
