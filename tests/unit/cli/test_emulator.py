"""The embedded AWS's folder: whose it is at a time, and what a kill leaves behind."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forge.cli.emulator import CREDENTIALS, REGION, Emulator, _exclusive, _lost_since
from forge.cli.emulator_mark import MARK

NOON = datetime(2026, 7, 28, 12, tzinfo=UTC)


def is_locked(folder: Path) -> bool:
    lock = os.open(folder / "lock", os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


@contextmanager
def a_heir_of(lock: int) -> Iterator[None]:
    """A process that inherited the lock, and lives until its input ends."""
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(command, pass_fds=[lock], stdin=subprocess.PIPE):
        yield


def a_saved(folder: Path, service: str, at: datetime) -> None:
    file = folder / "state" / f"{service}.json"
    file.parent.mkdir(exist_ok=True)
    file.touch()
    os.utime(file, (at.timestamp(), at.timestamp()))


def a_mark(folder: Path, at: datetime) -> None:
    (folder / MARK).touch()
    os.utime(folder / MARK, (at.timestamp(), at.timestamp()))


def test_a_folder_is_taken_while_it_is_used_and_free_again_afterwards(tmp_path: Path) -> None:
    with _exclusive(tmp_path):
        locked_inside = is_locked(tmp_path)

    assert locked_inside
    assert not is_locked(tmp_path)


def test_a_folder_is_free_again_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), _exclusive(tmp_path):
        raise RuntimeError

    assert not is_locked(tmp_path)


def test_a_child_that_lives_on_keeps_the_folder(tmp_path: Path) -> None:
    with ExitStack() as later:
        with _exclusive(tmp_path) as lock:
            later.enter_context(a_heir_of(lock))
        locked_by_heir = is_locked(tmp_path)

    assert locked_by_heir
    assert not is_locked(tmp_path)


def test_the_lock_is_private(tmp_path: Path) -> None:
    with _exclusive(tmp_path):
        assert (tmp_path / "lock").stat().st_mode & 0o077 == 0


def test_nothing_is_lost_where_no_mark_was_left(tmp_path: Path) -> None:
    a_saved(tmp_path, "dynamodb", NOON)

    assert _lost_since(tmp_path) is None


def test_a_mark_tells_that_changes_since_the_last_save_may_be_lost(tmp_path: Path) -> None:
    a_mark(tmp_path, NOON.replace(hour=8))
    a_saved(tmp_path, "dynamodb", NOON)

    assert _lost_since(tmp_path) == NOON


def test_a_mark_without_any_save_tells_that_all_may_be_lost(tmp_path: Path) -> None:
    a_mark(tmp_path, NOON)

    assert _lost_since(tmp_path) == NOON


def test_its_connections_lead_to_it_and_nowhere_else() -> None:
    connections = Emulator("http://127.0.0.1:1", None).connections()

    assert (connections.endpoint, connections.region) == ("http://127.0.0.1:1", REGION)
    assert connections.credentials == CREDENTIALS
