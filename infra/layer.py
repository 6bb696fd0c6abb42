"""Builds the layer: forge and what it imports when deployed, for the runtime of the functions, and no more.

`sam build` calls this through the Makefile, by the metadata of the layer's resource. SAM's own builder for
Python takes packages whole, and botocore alone brings the descriptions of four hundred services.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from forge.wire.pages import ASSETS
from infra.generate import this_machine
from infra.stack.functions import Target
from infra.uv import uv

SHARED = Path(__file__).parent.parent / "shared"
MAX_BYTES = 40_000_000
SERVICES = frozenset({"dynamodb", "lambda", "s3", "secretsmanager", "sqs", "stepfunctions", "sts", "xray"})
"""What functions talk to, what credentials may come from, and what the tracer asks which calls to trace."""

_OF_DEVELOPERS = ("testing", "cli")
_UNUSED_UTILITIES = (
    *("auth_alpha", "circuit_breaker", "data_masking", "feature_flags"),
    *("idempotency", "kafka", "streaming", "validation"),
)
_PLATFORMS = {"arm64": "aarch64-manylinux2014", "x86_64": "x86_64-manylinux2014"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, required=True, help="a folder, which may not be there yet")
    parser.add_argument(
        "--this-machine", action="store_true", help="for emulators, instead of the template's"
    )
    given = parser.parse_args()
    build_layer(given.into, this_machine() if given.this_machine else Target())
    return 0


def build_layer(into: Path, target: Target) -> None:
    _install(into, target)
    shutil.copytree(
        SHARED / "forge", into / "forge", ignore=shutil.ignore_patterns("__pycache__", *_OF_DEVELOPERS)
    )
    trim(into)


def size_of(folder: Path) -> int:
    """In bytes, as Lambda counts what it unpacks."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def trim(into: Path) -> None:
    """Commands and tests of packages, and of large ones what nobody here uses."""
    unused = [into / "bin", *into.glob("*/tests"), *into.glob("*/__pyinstaller")]
    # A second HTTP framework with pages of its own, and utilities that no worker uses.
    powertools = into / "aws_lambda_powertools"
    unused += [powertools / "event_handler", *(powertools / "utilities" / name for name in _UNUSED_UTILITIES)]
    unused += [
        folder
        for folder in (into / "botocore" / "data").iterdir()
        if folder.is_dir() and folder.name not in SERVICES
    ]
    for folder in unused:
        shutil.rmtree(folder, ignore_errors=True)
    files = [*into.rglob("*.pyi"), into / ".lock"]
    # The same once more for newer processors; where it is missing, rapidfuzz takes the other.
    files += (into / "rapidfuzz").rglob("*_avx2.*.so")
    # Another page for the same document.
    files += [file for file in (into / "fastapi_offline" / "static").glob("*") if file.name not in ASSETS]
    for file in files:
        file.unlink(missing_ok=True)


def _install(into: Path, target: Target) -> None:
    command: list[str | Path] = [
        *(uv(), "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--target", into),
        *("--python-platform", _PLATFORMS[target.architecture], "--link-mode", "copy"),
        *("--python-version", target.runtime.removeprefix("python")),
        *("--requirements", SHARED / "requirements.txt"),
    ]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
