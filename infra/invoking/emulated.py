"""One function under the Runtime Interface Emulator: called over HTTP, its init time read from its log.

It is the runtime of Lambda without a container. The emulator comes with SAM, and awslambdaric is what
Lambda's images start Python functions by.
"""

import os
import platform
import re
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx

from forge.cli.local.listening import free_port

_INVOCATIONS = "/2015-03-31/functions/function/invocations"
_INIT = re.compile(r"INIT REPORT\(durationMs: ([0-9.]+)\)")
_PATIENCE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Program:
    """What is run: the emulator's binary, the interpreter, and where the interpreter looks for code."""

    emulator: Path
    python: Path
    paths: tuple[Path, ...]
    handler: str
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Running:
    url: str
    log: Path

    def invoke(self, event: Mapping[str, Any], *, seconds: float = _PATIENCE_SECONDS) -> Any:
        # Loopback is never behind a proxy, whatever the environment says.
        return httpx.post(self.url, json=dict(event), timeout=seconds, trust_env=False).json()

    def init_milliseconds(self) -> float:
        found = _INIT.search(self.log.read_text(encoding="utf-8", errors="replace"))
        if found is None:
            raise AssertionError(f"no init report in {self.log.read_text()[-2000:]}")
        return float(found[1])


def emulator_in(sam: Path) -> Path:
    """The emulator's binary for this machine, beneath the environment that this `sam` is of."""
    packages = next((sam.absolute().parent.parent / "lib").glob("python*")) / "site-packages"
    machine = "arm64" if platform.machine() in ("aarch64", "arm64") else "x86_64"
    return packages / "samcli" / "local" / "rapid" / f"aws-lambda-rie-{machine}"


@contextmanager
def running(program: Program, log: Path) -> Iterator[Running]:
    port, runtime_port = free_port(), free_port()
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command: list[str | Path] = [
        *(program.emulator, "--runtime-interface-emulator-address", f"127.0.0.1:{port}"),
        *("--runtime-api-address", f"127.0.0.1:{runtime_port}"),
        *(program.python, "-m", "awslambdaric", program.handler),
    ]
    with log.open("wb") as out:
        child = subprocess.Popen(
            command,
            env=kept | {"PYTHONPATH": os.pathsep.join(map(str, program.paths)), **program.environment},
            stdout=out,
            stderr=out,
        )
    try:
        _await_port(port, child)
        yield Running(f"http://127.0.0.1:{port}{_INVOCATIONS}", log)
    finally:
        child.terminate()
        child.wait()


def _await_port(port: int, child: subprocess.Popen[bytes]) -> None:
    deadline = monotonic() + _PATIENCE_SECONDS
    while monotonic() < deadline and child.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            sleep(0.05)
    raise RuntimeError("the runtime interface emulator did not start")
