"""The embedded AWS: ministack as a child process on loopback, with its state in a folder of ours."""

import ctypes
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import URLError

from forge.cli.emulator_mark import MARK, MARK_VARIABLE, STATE_FILE
from forge.store.connections import Connections

HOST = "127.0.0.1"
REGION = "us-east-1"
CREDENTIALS = ("local", "local")

_READY_SECONDS = 20
_STOP_SECONDS = 20
_DEATH_SIGNAL_OPTION = 1  # PR_SET_PDEATHSIG


# Loopback is never behind a proxy, whatever the environment says.
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class EmulatorFailed(Exception):
    """It could not be started; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Emulator:
    endpoint: str
    lost_since: datetime | None
    """Set when the last run was killed: changes after this time may be missing."""

    def connections(self) -> Connections:
        return Connections(REGION, self.endpoint, CREDENTIALS)


@contextmanager
def running_emulator(folder: Path) -> Iterator[Emulator]:
    """Start it on the state in this folder; stop it, saving, on the way out."""
    folder.mkdir(parents=True, exist_ok=True)
    with _exclusive(folder) as lock:
        lost_since = _lost_since(folder)
        _require_readable(folder)
        port = _free_port()
        child = _spawn(folder, port, lock)
        try:
            _await_ready(child, port, folder)
            yield Emulator(f"http://{HOST}:{port}", lost_since)
        finally:
            _stop(child)


@contextmanager
def _exclusive(folder: Path) -> Iterator[int]:
    """Two emulators on one folder would lose data. The child inherits the lock, so it outlives us."""
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(lock, folder)
        yield lock
    finally:
        os.close(lock)


def _take(lock: int, folder: Path) -> None:
    # A child of a killed parent needs a moment to save and leave.
    for _ in range(10 * _STOP_SECONDS):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.1)
        else:
            return
    raise EmulatorFailed(
        f"Another Forge is running on {folder.parent}. Stop it, or choose another home: "
        "make dev FORGE_HOME=.forge-2"
    )


def _lost_since(folder: Path) -> datetime | None:
    """The child removes its mark when it has saved; a mark that is still there tells of a kill."""
    mark = folder / MARK
    if not mark.exists():
        return None
    saved = folder / "state" / STATE_FILE
    return datetime.fromtimestamp((saved if saved.exists() else mark).stat().st_mtime, UTC)


def _require_readable(folder: Path) -> None:
    """The emulator would begin anew on a damaged file, and then save over it."""
    file = folder / "state" / STATE_FILE
    if not file.exists():
        return
    try:
        json.loads(file.read_bytes())
    except ValueError:
        raise EmulatorFailed(
            f"The state in {file} is damaged. Put it aside (everything in it is lost then), or restore it."
        ) from None


def _spawn(folder: Path, port: int, lock: int) -> subprocess.Popen[bytes]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment = inherited | {
        "AWS_ACCESS_KEY_ID": CREDENTIALS[0],
        "AWS_SECRET_ACCESS_KEY": CREDENTIALS[1],
        "AWS_DEFAULT_REGION": REGION,
        "BIND_HOST": HOST,
        "GATEWAY_PORT": str(port),
        # Otherwise it also listens on every address of the machine, on port 8883.
        "IOT_MTLS_ENABLED": "0",
        "PERSIST_STATE": "1",
        "STATE_DIR": str((folder / "state").resolve()),
        "S3_PERSIST": "1",
        "S3_DATA_DIR": str((folder / "s3").resolve()),
        MARK_VARIABLE: str((folder / MARK).resolve()),
    }
    with (folder / "emulator.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "forge.cli.emulator_child"],
            env=environment,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=[lock],
            preexec_fn=_die_with_parent,
        )


def _die_with_parent() -> None:
    """When we are killed, the kernel tells the child to save and leave."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL_OPTION, signal.SIGTERM)


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
    """Ask it to save and leave."""
    child.terminate()
    try:
        child.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
