"""What the worker runs by itself: it ends in time, with all that it began, and is heard to its end."""

import os
import time
import tracemalloc
from pathlib import Path
from threading import Event, Timer

import pytest

from forge.cli.worker.processes.surroundings import MARKER
from forge.cli.worker.runs.checks import Surroundings, run_check
from forge.cli.worker.server.client import Stopping
from tests.integration.cli.processes import eventually, is_running


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    environment = {"PATH": os.environ["PATH"], MARKER: f"run_{tmp_path.name}"}
    return Surroundings(tmp_path, environment, 1, Event())


def test_a_check_that_leaves_something_running_waits_for_nobody(around: Surroundings) -> None:
    began = time.monotonic()

    done = run_check("sleep 300 & echo $!; setsid sleep 300 & echo $!", around)

    assert (done.code, time.monotonic() - began < 20) == (0, True)
    eventually(lambda: not any(is_running(int(one)) for one in done.tail.split()), "an end of what was left")


def test_of_what_a_check_prints_only_the_end_is_kept(around: Surroundings) -> None:
    tracemalloc.start()

    done = run_check("head -c 200000000 /dev/zero | tr '\\0' 'x'; echo; echo the end >&2; exit 3", around)

    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (done.code, done.tail.splitlines()[-1]) == (3, "the end")
    assert len(done.tail) < 10_000
    assert most < 100_000_000


def test_a_check_that_takes_too_long_has_failed(around: Surroundings) -> None:
    done = run_check("echo begun; exec sleep 300", around._replace(minutes=0.005))

    assert not done.is_passed
    assert "begun" in done.tail
    assert "had not ended" in done.tail


def test_a_worker_that_ends_waits_for_no_check(around: Surroundings) -> None:
    Timer(0.3, around.stopping.set).start()

    with pytest.raises(Stopping):
        run_check("sleep 300", around)
