"""The whole emulator, open to whoever finds its port, and forgetful: for tests and trial deployments.

`forge dev` runs on `forge.cli.local`, which is neither.
"""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

from forge.cli.local.listening import HOST, free_port
from forge.store.connections import Connections

REGION = "us-east-1"
CREDENTIALS = ("local", "local")

_READY_SECONDS = 20
_STOP_SECONDS = 20


# Loopback is never behind a proxy, whatever the environment says.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class EmulatorFailed(Exception):
    """It could not be started; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Emulator:
    endpoint: str

    def connections(self) -> Connections:
        return Connections(REGION, self.endpoint, CREDENTIALS)


@contextmanager
def running_emulator(folder: Path) -> Iterator[Emulator]:
    """Start it; the folder is for its log."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    child = _spawn(folder, port)
    try:
        _await_ready(child, port, folder)
        yield Emulator(f"http://{HOST}:{port}")
    finally:
        _stop(child)


def _spawn(folder: Path, port: int) -> subprocess.Popen[bytes]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment = inherited | {
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
        "AWS_DEFAULT_REGION": REGION,
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        # Otherwise it also listens on every address of the machine, on port 8883.
        "IOT_MTLS_ENABLED": "0",
    }
    with (folder / "emulator.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "ministack"],
            env=environment,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )


def _await_ready(child: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline:
        if child.poll() is not None:
            raise EmulatorFailed(f"The embedded AWS did not start; {folder / 'emulator.log'} says why.")
        try:
            with _direct.open(f"http://{HOST}:{port}/_ministack/health", timeout=1):
                return
        except (URLError, OSError):
            time.sleep(0.05)
    raise EmulatorFailed(
        f"The embedded AWS is not ready after {_READY_SECONDS} s; see {folder / 'emulator.log'}."
    )


def _stop(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
