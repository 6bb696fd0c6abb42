"""Keeps the embedded AWS running: a child process, started again whenever it ends.

The port is ours: what is asked while there is no child waits for the next one, and nobody else can take it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from secrets import token_hex
from socket import socket
from threading import Event, Thread
from typing import Any, NamedTuple

from forge.cli.local.admission import Keys
from forge.cli.local.bells import Bells
from forge.cli.local.channel import Channel
from forge.cli.local.homes import write_private
from forge.cli.local.listening import HOST, listening, listening_for_ourselves
from forge.store.connections import Connections

REGION = "us-east-1"

_READY_SECONDS = 30
_STOP_SECONDS = 10
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 10.0

Tell = Callable[[str], object]


class NotStarted(Exception):
    """The message says why and what to do."""


@contextmanager
def running_aws(folder: Path, *, lock: int, tell: Tell) -> Iterator["LocalAws"]:
    """Start it on the state in this folder; the lock is for it to hold as long as it lives."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with listening(0) as listener, listening_for_ourselves() as channel:
        aws = LocalAws(folder.resolve(), Listeners(listener, channel), lock, tell)
        write_private(folder / "config", aws.configuration())
        try:
            aws.start()
            yield aws
        finally:
            aws.stop()


class Listeners(NamedTuple):
    public: socket
    """For whoever signs with this run's keys."""
    channel: socket
    """For this process alone."""


class LocalAws:
    def __init__(self, folder: Path, listeners: Listeners, lock: int, tell: Tell) -> None:
        self._folder = folder
        self._listener = listeners.public
        self._channel_listener = listeners.channel
        self._lock = lock
        self._tell_somebody = tell
        self._keys = Keys(f"FORGE{token_hex(16).upper()}", token_hex(32))
        self._stopping = Event()
        self._first: Queue[str | None] = Queue()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread = Thread(target=self._keep_running, daemon=True, name="aws")
        self.problem: str | None = "The embedded AWS is starting."
        """Why it can't be used, or not for changes; nothing when all is well."""
        self.starts = 0
        """How often a child began to answer."""
        self.bells = Bells()
        self.channel = Channel(listeners.channel, self._keys.secret_key, self.bells)

    @property
    def endpoint(self) -> str:
        return f"http://{HOST}:{self._listener.getsockname()[1]}"

    def connections(self) -> Connections:
        keys = (self._keys.access_key, self._keys.secret_key)
        connections = Connections(REGION, self.endpoint, keys, send=self.channel.ask_tables)
        connections.keep("sqs", self.channel.queues())
        return connections

    def configuration(self) -> str:
        """As the tools of AWS read it from AWS_CONFIG_FILE."""
        return (
            f"[default]\nregion = {REGION}\nendpoint_url = {self.endpoint}\n"
            f"aws_access_key_id = {self._keys.access_key}\naws_secret_access_key = {self._keys.secret_key}\n"
            "s3 =\n  addressing_style = path\n"
        )

    def start(self) -> None:
        self._thread.start()
        try:
            problem = self._first.get(timeout=_READY_SECONDS)
        except Empty:
            problem = f"The embedded AWS is not ready after {_READY_SECONDS} s; see {self._log}."
        if problem is not None:
            raise NotStarted(problem)

    def stop(self) -> None:
        self._stopping.set()
        child = self._child
        if child is not None and child.stdin is not None:
            child.stdin.close()
        self._thread.join(_STOP_SECONDS)
        self.channel.close()
        if child is not None and child.poll() is None:
            child.kill()
            child.wait()

    @property
    def _log(self) -> Path:
        return self._folder / "emulator.log"

    def _tell(self, text: str) -> None:
        """Where it goes may be a file on the disk that is full."""
        with suppress(OSError):
            self._tell_somebody(text)

    def _keep_running(self) -> None:
        pause = _FIRST_PAUSE
        while not self._stopping.is_set():
            before = self.starts
            try:
                ended = self._run_once()
            except OSError as problem:
                ended = f"The embedded AWS could not be started: {problem}."
            if self._stopping.is_set():
                return
            if self.starts > before:
                pause = _FIRST_PAUSE
            self.problem = ended
            self._first.put(ended)
            self._tell(f"{ended} Starting it again.")
            self._stopping.wait(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _run_once(self) -> str:
        """From the start of a child to its end; why it ended."""
        reading, writing = os.pipe()
        with os.fdopen(reading, "r", encoding="utf-8") as notices:
            try:
                self._child = self._spawn(writing)
            finally:
                os.close(writing)
            failure = None
            for line in notices:
                notice = json.loads(line)
                failure = notice.get("failed", failure)
                self._hear(notice)
        code = self._child.wait()
        return failure or f"The embedded AWS ended ({_how(code)}); {self._log} may say why."

    def _hear(self, notice: Mapping[str, Any]) -> None:
        if "ready" in notice:
            self.problem = None
            self.starts += 1
            self._first.put(None)
            if self.starts > 1:
                self._tell("The embedded AWS is back, with everything that was acknowledged.")
        if "refusing" in notice:
            self._hear_of_disk(notice["refusing"])

    def _hear_of_disk(self, problem: str | None) -> None:
        if problem is None:
            self.problem = None
            self._tell("Changes are kept again.")
            return
        self.problem = f"No change can be kept in {self._folder}: {problem}."
        self._tell(f"{self.problem} Changes are refused until it can.")

    def _spawn(self, notices: int) -> subprocess.Popen[bytes]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        orders = {
            "folder": str(self._folder),
            "port": self._listener.getsockname()[1],
            "listener": self._listener.fileno(),
            "channel": self._channel_listener.fileno(),
            "notices": notices,
            "accessKey": self._keys.access_key,
            "secretKey": self._keys.secret_key,
        }
        with self._log.open("ab") as log:
            child = subprocess.Popen(
                [sys.executable, "-m", "forge.cli.local.child"],
                env=inherited,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                # Ctrl-C in our terminal is for us alone.
                start_new_session=True,
                pass_fds=[self._lock, self._listener.fileno(), self._channel_listener.fileno(), notices],
            )
        assert child.stdin is not None  # noqa: S101 - it was asked for
        # One that died at once is noticed by its silence.
        with suppress(BrokenPipeError):
            child.stdin.write(json.dumps(orders).encode() + b"\n")
            child.stdin.flush()
        return child


def _how(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"code {code}"
