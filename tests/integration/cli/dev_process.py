"""`forge dev` as a process: started, asked, stopped, and never left behind."""

import configparser
import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from forge.cli.dev_clock import CLOCK_PATH
from forge.cli.local.listening import free_port
from forge.store.connections import Connections
from forge.wire.paths import HEALTH_PATH
from tests.integration.cli.processes import (
    FORGE,
    HOST,
    PLAIN,
    an_environment,
    children_of,
    eventually,
    is_running,
)

_STOP_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Dev:
    process: subprocess.Popen[bytes]
    home: Path
    port: int
    output_file: Path

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self.port}"

    @property
    def output(self) -> str:
        return self.output_file.read_text(encoding="utf-8")

    @property
    def description(self) -> Any:
        return json.loads((self.home / "dev.json").read_text(encoding="utf-8"))

    @property
    def owner_key(self) -> str:
        return str(self.description["keys"]["owner"])

    @property
    def emulator(self) -> int:
        """The id of the embedded AWS's process."""
        (child,) = children_of(self.process.pid)
        return child

    @property
    def aws(self) -> Connections:
        """The way that a person gets there who may read the home."""
        known = configparser.ConfigParser()
        known.read(self.home / "aws" / "config")
        given = known["default"]
        keys = (given["aws_access_key_id"], given["aws_secret_access_key"])
        return Connections(given["region"], given["endpoint_url"], keys)

    def post(self, path: str, body: object = None, **headers: str) -> httpx.Response:
        """Send bytes as they are, anything else as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body or {}).encode()
        return httpx.post(
            f"{self.base_url}{path}",
            content=content,
            headers=headers,
            timeout=30,
            trust_env=False,
            verify=PLAIN,
        )

    def get(self, path: str, **headers: str) -> httpx.Response:
        return httpx.get(f"{self.base_url}{path}", headers=headers, timeout=30, trust_env=False, verify=PLAIN)

    def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, *, key: str, surface: str = "mcp"
    ) -> httpx.Response:
        return self.post(f"/api/{surface}/{tool}", arguments, authorization=f"Bearer {key}")

    def advance(self, seconds: float) -> Any:
        response = self.post(CLOCK_PATH, {"advanceSeconds": seconds})
        assert response.status_code == 200, response.text
        return response.json()

    def now(self) -> datetime:
        """By its own clock, which tests move forward."""
        return datetime.fromisoformat(self.advance(0)["now"])

    def add_label(self, name: str) -> None:
        response = self.call("labels.create", {"name": name}, key=self.owner_key)
        assert response.status_code == 200, response.text

    def labels(self) -> set[str]:
        response = self.call("labels.list", key=self.owner_key)
        assert response.status_code == 200, response.text
        return {label["name"] for label in response.json()["data"]}

    def is_healthy(self) -> bool:
        try:
            answer = httpx.get(f"{self.base_url}{HEALTH_PATH}", timeout=5, trust_env=False, verify=PLAIN)
        except httpx.TransportError:
            return False
        return answer.status_code == 200

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Send a signal to it and whatever runs in its terminal, like Ctrl-C does; its exit code."""
        os.killpg(self.process.pid, how)
        return self.process.wait(_STOP_SECONDS)


@contextmanager
def running_dev(
    home: Path,
    environment: Mapping[str, str] | None = None,
    *,
    command: str | Path = FORGE,
    port: int | None = None,
) -> Iterator[Dev]:
    """Start it and wait until it is ready; end it and its child, whatever happens in between."""
    port = port or free_port()
    output_file = home.with_name(f"{home.name}.output")
    with output_file.open("wb") as output:
        process = subprocess.Popen(
            [command, "dev", "--port", str(port), "--home", str(home)],
            env=an_environment(**environment or {}),
            # Not in the checkout, whose packages would stand in for what is not installed.
            cwd=home.parent,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    dev = Dev(process, home, port, output_file)
    started: list[int] = []
    try:
        eventually(lambda: dev.is_healthy() or process.poll() is not None, "an answer")
        assert process.poll() is None, dev.output
        started = children_of(process.pid)
        yield dev
    finally:
        _end(process, started or children_of(process.pid))


def _end(process: subprocess.Popen[bytes], children: list[int]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    try:
        eventually(lambda: not any(map(is_running, children)), "an end of the children")
    except AssertionError:
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        raise
