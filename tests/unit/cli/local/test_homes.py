"""A home is one Forge's at a time, and its owner's alone."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from forge.cli.local.homes import Taken, require_free, taken, write_private


@contextmanager
def a_heir_of(lock: int) -> Iterator[None]:
    """A process that inherited the lock, and lives until its input ends."""
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(command, pass_fds=[lock], stdin=subprocess.PIPE):
        yield


def is_locked(home: Path) -> bool:
    lock = os.open(home / "lock", os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False


def test_a_home_is_taken_while_it_is_used_and_free_again_afterwards(tmp_path: Path) -> None:
    with taken(tmp_path, port=1):
        locked_inside = is_locked(tmp_path)

    assert locked_inside
    assert not is_locked(tmp_path)


def test_whoever_comes_second_is_told_who_is_there(tmp_path: Path) -> None:
    with taken(tmp_path, port=4321), pytest.raises(Taken) as told:
        require_free(tmp_path)

    assert str(os.getpid()) in str(told.value)
    assert "4321" in str(told.value)


def test_looking_at_a_home_makes_nothing(tmp_path: Path) -> None:
    require_free(tmp_path / "home")

    assert list(tmp_path.iterdir()) == []


def test_a_child_that_lives_on_keeps_the_home(tmp_path: Path) -> None:
    with ExitStack() as later:
        with taken(tmp_path, port=1) as lock:
            later.enter_context(a_heir_of(lock))
        locked_by_heir = is_locked(tmp_path)

    assert locked_by_heir
    assert not is_locked(tmp_path)


def test_what_is_private_stays_so_whatever_was_there_before(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    for file in (secret, tmp_path / "secret.draft"):
        file.write_text("old")
        file.chmod(0o644)

    write_private(secret, "new")

    assert secret.read_text() == "new"
    assert secret.stat().st_mode & 0o777 == 0o600
