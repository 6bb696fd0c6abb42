"""What a crash costs: nothing that was acknowledged, whichever process it takes."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Lock

import httpx
import pytest

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
        self._is_over = False

    def write(self) -> None:
        with suppress(httpx.TransportError):
            while not self._is_over:
                with self._lock:
                    name = f"label {next(self._numbers)}"
                answer = self._dev.call("labels.create", {"name": name}, key=self._key)
                if answer.status_code == 200:
                    self.acknowledged.append(name)

    def end(self) -> None:
        self._is_over = True


def kill(process_id: int) -> None:
    os.kill(process_id, signal.SIGKILL)
    eventually(lambda: not is_running(process_id), "its end")


def all_labels(dev: Dev) -> list[str]:
    """With repetitions, if there were any."""
    return [label["name"] for label in dev.call("labels.list", key=dev.owner_key).json()["data"]]


def test_a_killed_forge_loses_nothing_that_was_acknowledged(home: Path) -> None:
    with running_dev(home) as dev:
        known, emulator = dev.description, dev.emulator
        writers = Writers(dev)
        with ThreadPoolExecutor(WRITERS) as pool:
            for _ in range(WRITERS):
                pool.submit(writers.write)
            eventually(lambda: len(writers.acknowledged) >= ENOUGH, "writes")
            dev.process.kill()
        with running_dev(home) as again:
            labels = all_labels(again)

            assert not is_running(emulator)
            assert set(labels) >= {"first", *writers.acknowledged}
            assert len(labels) == len(set(labels))
            assert again.description["keys"] == known["keys"]


def test_a_killed_emulator_is_started_again_and_has_everything(home: Path) -> None:
    with running_dev(home) as dev:
        emulator = dev.emulator
        writers = Writers(dev)
        with ThreadPoolExecutor(WRITERS) as pool:
            for _ in range(WRITERS):
                pool.submit(writers.write)
            eventually(lambda: len(writers.acknowledged) >= ENOUGH, "writes")
            kill(emulator)
            before = len(writers.acknowledged)
            eventually(lambda: len(writers.acknowledged) >= before + ENOUGH, "writes after the restart")
            writers.end()
        labels = all_labels(dev)

        assert set(labels) >= {"first", *writers.acknowledged}
        assert len(labels) == len(set(labels))
        assert dev.emulator != emulator
        assert dev.is_healthy()
        assert str(signal.SIGKILL.value) in dev.output
        assert dev.stop() == 0
        assert "Traceback" not in dev.output


def test_an_emulator_that_can_not_start_is_told_by_healthz_and_comes_back_when_it_can(home: Path) -> None:
    with running_dev(home) as dev:
        journal = max((home / "aws" / "journal").glob("*.journal"))
        dev.add_label("second")
        whole = journal.read_bytes()
        journal.write_bytes(b"x" + whole[1:])

        kill(dev.emulator)

        eventually(lambda: dev.get("/healthz").status_code == 503, "a problem")
        assert dev.get("/healthz").json()["reason"]
        journal.write_bytes(whole)
        eventually(lambda: dev.is_healthy(), "health")
        assert dev.labels() >= {"first", "second"}


def test_a_damaged_journal_is_told_and_left_as_it_is(home: Path) -> None:
    journal = max((home / "aws" / "journal").glob("*.journal"), key=lambda file: file.stat().st_size)
    content = bytearray(journal.read_bytes())
    content[len(content) // 2] ^= 1
    journal.write_bytes(content)

    with pytest.raises(AssertionError) as refused, running_dev(home):
        pass

    assert str(journal) in str(refused.value)
    assert journal.read_bytes() == content
