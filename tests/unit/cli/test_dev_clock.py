"""The dev clock: the machine's time and more, never less."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from forge.cli.dev_clock import CLOCK_PATH, MAX_STEP_SECONDS, DevClock, clock_route
from forge.clock import system_now
from forge.errors import Unavailable


@pytest.fixture
def clock(tmp_path: Path) -> DevClock:
    return DevClock(tmp_path / "clock")


def a_client(clock: DevClock, run_what_is_due: Callable[[], int] = lambda: 0) -> TestClient:
    app = Starlette(routes=[clock_route(clock, run_what_is_due)])
    return TestClient(app, base_url="http://localhost")


def test_a_new_clock_shows_the_machines_time(clock: DevClock, tmp_path: Path) -> None:
    before, shown, after = system_now(), clock(), system_now()

    assert before <= shown <= after
    assert not (tmp_path / "clock").exists()


def test_steps_add_up(clock: DevClock) -> None:
    start = system_now()

    clock.advance(60)
    shown = clock.advance(0.5)

    assert shown >= start + timedelta(seconds=60.5)


def test_another_clock_on_the_same_file_is_as_far_ahead(tmp_path: Path) -> None:
    shown = DevClock(tmp_path / "clock").advance(3600.25)

    assert DevClock(tmp_path / "clock")() >= shown


def test_every_step_of_several_threads_counts(clock: DevClock, tmp_path: Path) -> None:
    start = system_now()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(clock.advance, [3600.0] * 50))

    assert clock() >= start + timedelta(hours=50)
    assert DevClock(tmp_path / "clock")() >= start + timedelta(hours=50)


def test_the_answer_tells_the_new_time_and_what_was_settled(clock: DevClock) -> None:
    response = a_client(clock, lambda: 3).post(CLOCK_PATH, json={"advanceSeconds": MAX_STEP_SECONDS})

    assert response.status_code == 200
    assert response.json()["settled"] == 3
    assert response.json()["now"] <= clock().isoformat()


def test_what_falls_due_is_settled_at_the_new_time(clock: DevClock) -> None:
    start = system_now()
    seen: list[datetime] = []

    def look_at_the_clock() -> int:
        seen.append(clock())
        return 0

    a_client(clock, look_at_the_clock).post(CLOCK_PATH, json={"advanceSeconds": 3600})

    assert [at >= start + timedelta(hours=1) for at in seen] == [True]


@pytest.mark.parametrize("seconds", [-1, -1e-9, MAX_STEP_SECONDS + 1, "60", True, None, [60], {}])
def test_what_is_no_step_is_refused_and_not_written_down(
    clock: DevClock, tmp_path: Path, seconds: object
) -> None:
    response = a_client(clock).post(CLOCK_PATH, json={"advanceSeconds": seconds})

    assert (response.status_code, response.json()["error"]) == (400, "invalid_input")
    assert not (tmp_path / "clock").exists()


@pytest.mark.parametrize("name", ["host", "origin"])
def test_a_foreign_name_is_refused(clock: DevClock, tmp_path: Path, name: str) -> None:
    headers = {name: {"host": "forge.example", "origin": "https://forge.example"}[name]}

    response = a_client(clock).post(CLOCK_PATH, json={"advanceSeconds": 60}, headers=headers)

    assert (response.status_code, response.json()["error"]) == (403, "forbidden")
    assert not (tmp_path / "clock").exists()


def test_a_database_that_is_away_is_said_to_be(clock: DevClock) -> None:
    def fail() -> int:
        raise Unavailable("Away.", retry_after_seconds=2)

    response = a_client(clock, fail).post(CLOCK_PATH, json={"advanceSeconds": 60})

    assert (response.status_code, response.headers["retry-after"]) == (503, "2")
