"""Builds the layers: forge and what it imports when deployed, for the runtime of the functions, and no more.

What only the pipeline function imports is in a layer of its own, and so is what signs for a GitHub App.
`sam build` calls this through the Makefile, by the metadata of the layers' resources. SAM's own builder for
Python takes packages whole, and botocore alone brings the descriptions of four hundred services.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from forge.cli.builds import build_at
from forge.clock import system_now
from forge.wire.identity import BUILD_FILE
from forge.wire.pages import ASSETS
from infra.generate import this_machine
from infra.stack.functions import Target
from infra.uv import uv

SHARED = Path(__file__).parent.parent / "shared"
MAX_BYTES = 44_000_000
"""A fifth of it is ours, 34 kB for each tool, with room for a hundred more. Lambda allows a function 250 MB
with all of its layers."""
MAX_PIPELINE_BYTES = 70_000_000
"""Half of it is the linear algebra that numpy comes with, and can't be imported without."""
MAX_GITHUB_BYTES = 20_000_000
"""Nearly all of it is OpenSSL, as cryptography brings it: it grows with their releases, not with us."""
MAX_OAUTH_BYTES = 2_500_000
"""Authlib and joserfc, which are text alone: a quarter more than today, for their releases."""
SERVICES = frozenset({"dynamodb", "lambda", "s3", "secretsmanager", "sqs", "stepfunctions", "sts", "xray"})
"""What functions talk to, what credentials may come from, and what the tracer asks which calls to trace."""
_ENDPOINTS = SERVICES - {"stepfunctions"} | {"states"}
"""The same as botocore's table of endpoints calls them, which it reads whole for every client."""

LEFT_OUT = shutil.ignore_patterns("__pycache__", "testing", "cli")
"""Of forge: what developers need and functions do not."""
_UNUSED_UTILITIES = (
    *("auth_alpha", "circuit_breaker", "data_masking", "feature_flags"),
    *("idempotency", "kafka", "parameters", "streaming", "validation"),
)
_MACHINES = {"arm64": "aarch64", "x86_64": "x86_64"}
_C_LIBRARY, _NEWER_C_LIBRARY = "manylinux2014", "manylinux_2_28"
"""numpy has wheels for the newer one only, which runtimes have from python3.12 on."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, required=True, help="a folder, which may not be there yet")
    parser.add_argument(
        "--this-machine", action="store_true", help="for emulators, instead of the template's"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--pipeline", action="store_true", help="the pipeline function's own layer")
    which.add_argument("--github", action="store_true", help="the layer of those who ask GitHub")
    which.add_argument("--oauth", action="store_true", help="the authorization server's own layer")
    given = parser.parse_args()
    own = (
        (given.pipeline, build_pipeline_layer),
        (given.github, build_github_layer),
        (given.oauth, build_oauth_layer),
    )
    build = next((build for is_asked, build in own if is_asked), build_layer)
    build(given.into, this_machine() if given.this_machine else Target())
    return 0


def build_layer(into: Path, target: Target) -> None:
    _install(into, target, "requirements.txt", _C_LIBRARY)
    shutil.copytree(SHARED / "forge", into / "forge", ignore=LEFT_OUT)
    stamp(into)
    trim(into)


def build_pipeline_layer(into: Path, target: Target) -> None:
    _install(into, target, "pipeline-requirements.txt", _NEWER_C_LIBRARY)
    trim_pipeline(into)


def build_github_layer(into: Path, target: Target) -> None:
    _install(into, target, "github-requirements.txt", _C_LIBRARY)
    trim_github(into)


def build_oauth_layer(into: Path, target: Target) -> None:
    _install(into, target, "oauth-requirements.txt", _C_LIBRARY)
    trim_oauth(into)


def stamp(into: Path) -> None:
    """Write down which build it is: clients and operators ask the server."""
    (into / BUILD_FILE).write_text(build_at(system_now()).written(), encoding="utf-8")


def size_of(folder: Path) -> int:
    """In bytes, as Lambda counts what it unpacks."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def trim(into: Path) -> None:
    """Commands and tests of packages, and of large ones what nobody here uses."""
    unused = [into / "bin", *into.glob("*/tests"), *into.glob("*/__pyinstaller"), *into.glob("*-stubs")]
    # The whole of its first version once more; FastAPI looks for models of it, and does without.
    unused.append(into / "pydantic" / "v1")
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
    files = [*into.rglob("*.pyi"), *into.rglob("*.c"), into / ".lock"]
    # What was installed, and from what it was made: nothing is uninstalled here.
    files += [*into.glob("*.dist-info/RECORD"), *into.glob("*.dist-info/sboms/*")]
    # The same once more for newer processors; where it is missing, rapidfuzz takes the other.
    files += (into / "rapidfuzz").rglob("*_avx2.*.so")
    # Time zones once more, for machines that have none: tzdata is here, and botocore asks for UTC alone.
    files += (into / "dateutil" / "zoneinfo").glob("*.tar.gz")
    # Another page for the same document.
    files += [file for file in (into / "fastapi_offline" / "static").glob("*") if file.name not in ASSETS]
    for file in files:
        file.unlink(missing_ok=True)
    for table in into.glob("botocore/data/endpoints.json"):
        _write(table, _fewer_endpoints(json.loads(table.read_text())))
    # Here they are indented for who reads them, which is a part of their size.
    for document in [*into.glob("forge/wire/*.json"), *into.glob("forge/contract/*.json")]:
        _write(document, json.loads(document.read_text()))


def _write(file: Path, content: object) -> None:
    file.write_text(json.dumps(content, separators=(",", ":")))


def _fewer_endpoints(table: dict[str, Any]) -> dict[str, Any]:
    """Of four hundred services, those that functions talk to."""
    partitions = [
        {
            **partition,
            "services": {name: one for name, one in partition["services"].items() if name in _ENDPOINTS},
        }
        for partition in table["partitions"]
    ]
    return {**table, "partitions": partitions}


def trim_pipeline(into: Path) -> None:
    """Of numpy, what is for those who test it or compile against it."""
    numpy = into / "numpy"
    unused = [into / "bin", *numpy.rglob("tests"), *numpy.glob("_core/include"), *numpy.glob("_core/lib")]
    unused += [numpy / name for name in ("f2py", "testing", "distutils", "_pyinstaller", "doc")]
    for folder in unused:
        shutil.rmtree(folder, ignore_errors=True)
    for file in [*into.rglob("*.pyi"), *into.rglob("*.pyx"), *into.rglob("*.pxd"), into / ".lock"]:
        file.unlink(missing_ok=True)


def trim_github(into: Path) -> None:
    """Of cffi, all but what is loaded: cryptography was compiled by it, and no function compiles."""
    for folder in (into / "bin", into / "pycparser", into / "cffi"):
        shutil.rmtree(folder, ignore_errors=True)
    for file in [*into.rglob("*.pyi"), into / ".lock"]:
        file.unlink(missing_ok=True)


def trim_oauth(into: Path) -> None:
    """Of Authlib, its clients, its bindings to frameworks, and the protocol before this one."""
    unused = [into / "bin", *(into / "authlib" / name for name in ("integrations", "oauth1"))]
    for folder in unused:
        shutil.rmtree(folder, ignore_errors=True)
    for file in [*into.rglob("*.pyi"), into / ".lock"]:
        file.unlink(missing_ok=True)


def _install(into: Path, target: Target, requirements: str, c_library: str) -> None:
    command: list[str | Path] = [
        *(uv(), "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--target", into),
        *("--python-platform", f"{_MACHINES[target.architecture]}-{c_library}", "--link-mode", "copy"),
        *("--python-version", target.runtime.removeprefix("python")),
        *("--requirements", SHARED / requirements),
    ]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
