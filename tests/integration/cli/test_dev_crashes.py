"""What a crash costs: of `forge dev` nothing that was acknowledged, of the embedded AWS the last seconds."""

import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from threading import Lock

import httpx

from forge.errors import ErrorCode
from tests.integration.cli.dev_process import Dev, running_dev
from tests.integration.cli.processes import eventually, is_running

WRITERS = 3
ENOUGH = 12


class Writers:
    """Several at once, each writing down what was acknowledged, until nobody answers any more."""

    def __init__(self, dev: Dev) -> None:
        self.acknowledged: list[str] = []
        self._dev = dev
        self._key = dev.owner_key
        self._numbers = count(1)
        self._lock = Lock()

    def write(self) -> None:
        with suppress(httpx.TransportError):
            while True:
                with self._lock:
                    name = f"label {next(self._numbers)}"
                answer = self._dev.call("labels.create", {"name": name}, key=self._key)
                if answer.status_code != 200:
                    return
                self.acknowledged.append(name)


def kill(process_id: int) -> None:
    os.kill(process_id, signal.SIGKILL)
    eventually(lambda: not is_running(process_id), "its end")


def lost_since(dev: Dev) -> datetime | None:
    """Since when changes may be missing, if the start said so."""
    told = re.search(r"since (\d{4}-\S+)", dev.output)
    return datetime.fromisoformat(told[1]) if told else None


def save_times(home: Path) -> list[datetime]:
    """When each service's state was saved, to the second."""
    files = (home / "aws" / "state").glob("*.json")
    return [datetime.fromtimestamp(int(file.stat().st_mtime), UTC) for file in files]


def test_a_killed_forge_loses_nothing_that_was_acknowledged(home: Path) -> None:
    with running_dev(home) as dev:
        known = dev.description
        writers = Writers(dev)
        with ThreadPoolExecutor(WRITERS) as pool:
            for _ in range(WRITERS):
                pool.submit(writers.write)
            eventually(lambda: len(writers.acknowledged) >= ENOUGH, "writes")
            dev.process.kill()
        # At once: the start waits while the emulator that was left behind saves and leaves.
        with running_dev(home) as again:
            assert again.labels() >= {"first", *writers.acknowledged}
            assert again.description["keys"] == known["keys"]
            assert lost_since(again) is None


def test_a_killed_emulator_costs_what_was_not_saved_and_the_next_start_says_so(home: Path) -> None:
    table = home / "aws" / "state" / "dynamodb.json"
    with running_dev(home) as dev:
        dev.add_label("saved in time")
        eventually(lambda: b"saved in time" in table.read_bytes(), "a snapshot")

        emulator = dev.emulator
        kill(emulator)

        refused = dev.call("labels.create", {"name": "too late"}, key=dev.owner_key)
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) > 0
        assert refused.json()["error"] == ErrorCode.UNAVAILABLE
        assert refused.json()["retryable"] is True
        assert dev.is_healthy()
        assert dev.stop() == 1
        assert "Traceback" not in dev.output
    saved = save_times(home)
    with running_dev(home) as again:
        since = lost_since(again)

        assert since
        assert min(saved) <= since <= max(saved)
        assert again.labels() >= {"first", "saved in time"}
        assert again.stop() == 0
