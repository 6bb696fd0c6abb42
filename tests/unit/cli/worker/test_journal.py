"""The journal of a run: what it says is said once, whoever is killed in between."""

import json
from pathlib import Path

import httpx
import pytest

from forge.cli.worker.limits import Usage, Used
from forge.cli.worker.runs.engagements import begin
from forge.cli.worker.server.client import Refused, Server, Where
from forge.cli.worker.server.journal import Journal
from tests.unit.cli.worker.workbench import a_disk_with_room_for


class Ear:
    """A server that remembers what it heard, and answers what a test decides."""

    def __init__(self, *answers: httpx.Response | BaseException) -> None:
        self._answers = [*answers]
        self.keys: list[str] = []
        self.bodies: list[object] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.keys.append(request.headers["idempotency-key"])
        self.bodies.append(json.loads(request.content))
        answer = self._answers.pop(0) if self._answers else httpx.Response(200, json={"n": len(self.keys)})
        if isinstance(answer, BaseException):
            raise answer
        return answer


def server_of(ear: Ear) -> Server:
    http = httpx.Client(transport=httpx.MockTransport(ear))
    return Server(Where("http://forge.test", "key", "box"), http, lambda seconds: False, lambda most: most)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run_1" / "journal.jsonl"


def test_what_was_answered_is_not_said_again(path: Path) -> None:
    ear = Ear()
    first = Journal(path, "run_1").say(server_of(ear), "complete", "runs.complete", {"summary": "Done."})

    again = Journal(path, "run_1").say(server_of(ear), "complete", "runs.complete", {"summary": "Other."})

    assert (first, again, len(ear.keys)) == ({"n": 1}, {"n": 1}, 1)


def test_who_was_killed_before_the_answer_says_the_same_under_the_same_key(path: Path) -> None:
    class Killed(BaseException):
        pass

    ear = Ear(Killed())
    with pytest.raises(Killed):
        Journal(path, "run_1").say(server_of(ear), "complete", "runs.complete", {"summary": "Done."})

    Journal(path, "run_1").say(server_of(ear), "complete", "runs.complete", {"summary": "Other."})

    assert ear.keys == ["run_1:1", "run_1:1"]
    assert ear.bodies == [{"summary": "Done."}] * 2


def test_a_refusal_is_remembered_like_an_answer(path: Path) -> None:
    ear = Ear(httpx.Response(409, json={"error": "conflict", "message": "It is over."}))
    for _ in range(2):
        with pytest.raises(Refused, match="It is over"):
            Journal(path, "run_1").say(server_of(ear), "complete", "runs.complete", {})

    assert len(ear.keys) == 1


def test_what_was_left_open_is_replayed_in_its_order(path: Path) -> None:
    class Killed(BaseException):
        pass

    journal = Journal(path, "run_1")
    for name in ("one", "two"):
        with pytest.raises(Killed):
            journal.say(server_of(Ear(Killed())), name, name, {})
    ear = Ear()

    Journal(path, "run_1").replay(server_of(ear))

    assert ear.keys == ["run_1:1", "run_1:2"]
    assert Journal(path, "run_1").say(server_of(ear), "two", "two", {}) == {"n": 2}


def test_half_a_line_is_cut_off_and_what_comes_next_is_whole(path: Path) -> None:
    journal = Journal(path, "run_1")
    journal.note(branch="forge/DEMO-1")
    with path.open("ab") as file:
        file.write(b'{"facts": {"branch": "for')

    Journal(path, "run_1").note(session="s")
    found = Journal(path, "run_1")

    assert (found.fact("branch"), found.fact("session")) == ("forge/DEMO-1", "s")


def test_a_disk_that_is_full_leaves_no_half_line(path: Path) -> None:
    journal = Journal(path, "run_1")
    journal.note(branch="forge/DEMO-1")

    with a_disk_with_room_for(path.stat().st_size + 20), pytest.raises(OSError, match="large"):
        journal.note(session="x" * 100)
    journal.note(session="s")

    found = Journal(path, "run_1")
    assert (found.fact("branch"), found.fact("session")) == ("forge/DEMO-1", "s")


def test_of_two_machines_with_one_run_each_has_keys_of_its_own(tmp_path: Path) -> None:
    ear = Ear()
    for machine in ("one", "another"):
        run = begin(tmp_path / machine, "run_1", {"issue": {}})
        run.journal.say(server_of(ear), "ask 1", "actionRequests.create", {"title": machine})

    assert len(set(ear.keys)) == 2


def test_work_that_was_lost_and_comes_back_begins_anew_and_keeps_what_it_has_cost(tmp_path: Path) -> None:
    lost = begin(tmp_path, "run_1", {"issue": {}})
    lost.journal.note(used=[[1, 2, 3, 0.5], 4, 5.0], ending="lost", session="s")

    again = begin(tmp_path, "run_1", {"issue": {}})

    assert again.ending is None
    assert again.journal.fact("session") is None
    assert again.used == Used(Usage(1, 2, 3, 0.5), 4, 5.0)
