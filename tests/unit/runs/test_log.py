"""The log of a run is appended in order, and followed while it grows."""

from typing import Any

import pytest

from forge.testing.instruments import Parameters, Send
from forge.work.issues.runs.silence import SIGNS_EVERY
from tests.workshop import issues
from tests.workshop.interference import let_pass
from tests.workshop.office import Body, Office


class Work:
    def __init__(self, office: Office) -> None:
        self.office, self.key = office, office.an_agents_key()
        self.issue_id = issues.an_issue(office)
        self.run_id = office.call("issues.claim", {"issueId": self.issue_id}, key=self.key)["runId"]

    def say(self, seq: int, chunk: str) -> Body:
        given = {"runId": self.run_id, "seq": seq, "chunk": chunk}
        return self.office.call("runs.appendLog", given, key=self.key)

    def read(self, after: object = "0", **more: object) -> Body:
        return self.office.call("runs.log", {"runId": self.run_id, "after": after, **more})

    def texts(self, after: object = "0") -> list[str]:
        return [one["text"] for one in self.read(after)["chunks"]]


@pytest.fixture
def work(office: Office) -> Work:
    return Work(office)


def test_a_reader_goes_on_where_the_last_answer_ended(work: Work) -> None:
    assert work.read() == {"chunks": [], "next": "0", "ended": False}
    work.say(0, "one\n")
    first = work.read()
    work.say(1, "two\n")

    assert first == {"chunks": [{"seq": 0, "text": "one\n"}], "next": "1", "ended": False}
    assert work.texts(first["next"]) == ["two\n"]
    assert work.texts(1) == ["two\n"]


def test_the_same_chunk_again_changes_nothing(work: Work) -> None:
    assert work.say(0, "one") == work.say(0, "one")
    assert work.texts() == ["one"]


def test_a_gap_is_refused_with_what_is_expected(work: Work) -> None:
    given = {"runId": work.run_id, "seq": 1, "chunk": "two"}

    refused = work.office.refused("runs.appendLog", given, key=work.key)

    assert refused[:2] == (409, "conflict")


def test_who_waits_is_answered_as_soon_as_there_is_more(work: Work) -> None:
    looks = 0

    def say_something(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        nonlocal looks
        looks += operation == "BatchGetItem"
        if looks == 3:
            work.office.interference.handle = let_pass
            work.say(0, "at last")
        return send(**parameters)

    work.office.interference.handle = say_something

    assert work.read(wait=20)["chunks"] == [{"seq": 0, "text": "at last"}]


def test_a_key_never_gets_into_a_log(work: Work) -> None:
    given = {"runId": work.run_id, "seq": 0, "chunk": f"FORGE_AGENT_KEY={work.key}"}

    refused = work.office.refused("runs.appendLog", given, key=work.key)

    assert refused == (400, "invalid_input", {"chunk"})
    assert work.texts() == []


def test_a_long_chunk_takes_several_answers_each_short_enough(work: Work) -> None:
    text = "".join(f"line {number} ü\n" for number in range(15_000))
    work.say(0, text)
    work.say(1, "the end")
    read, after, answers = "", "0", 0
    while not read.endswith("the end"):
        answer = work.read(after)
        read += "".join(one["text"] for one in answer["chunks"])
        after, answers = answer["next"], answers + 1

    assert read == f"{text}the end"
    assert answers == 7


def test_a_chunk_of_too_many_bytes_is_refused(work: Work) -> None:
    given = {"runId": work.run_id, "seq": 0, "chunk": "ü" * 100_001}

    assert work.office.refused("runs.appendLog", given, key=work.key) == (400, "invalid_input", {"chunk"})


def test_it_has_ended_when_the_run_is_over_and_all_was_read(work: Work) -> None:
    work.say(0, "one")
    work.office.call("runs.complete", {"runId": work.run_id, "summary": "Done."}, key=work.key)

    assert work.read()["ended"] is True
    assert work.say(1, "what came late")["nextSeq"] == 2
    assert work.read(1)["chunks"] == [{"seq": 1, "text": "what came late"}]


def test_whoever_says_something_is_heard_of(work: Work) -> None:
    for minute in range(45):
        work.office.world.clock.advance(minutes=1)
        work.say(minute, f"minute {minute}\n")

    clock = work.office.world.clock
    claimed_until = issues.head(work.office, work.issue_id).claim_expires_at
    assert clock() - issues.run(work.office, work.run_id).last_event_at <= SIGNS_EVERY
    assert claimed_until is not None
    assert claimed_until > clock()


def test_only_whose_run_it_is_appends(work: Work) -> None:
    other = work.office.an_agents_key(work.office.an_agent("other")["id"])
    given = {"runId": work.run_id, "seq": 0, "chunk": "Me!"}

    assert work.office.refused("runs.appendLog", given, key=other)[0] == 403


def test_of_two_who_write_one_chunk_the_text_stands_of_whoever_was_first(work: Work) -> None:
    """The second has read before the first one writes, and its text reaches the bucket after that."""
    looks: list[str] = []
    first, second = ({"runId": work.run_id, "seq": 0, "chunk": f"{name}\n"} for name in ("first", "second"))

    def be_overtaken(operation: str, parameters: Parameters, send: Send) -> dict[str, Any]:
        if looks:
            work.office.interference.handle = let_pass
            work.office.call("runs.appendLog", first, key=work.key, session="first")
        elif operation == "BatchGetItem" and "'LOG'" in str(parameters):
            looks.append(operation)
        return send(**parameters)

    work.office.interference.handle = be_overtaken
    refused = work.office.refused("runs.appendLog", second, key=work.key, session="second")
    work.office.call("runs.appendLog", second | {"seq": 1}, key=work.key, session="second")

    assert (len(looks), refused[0]) == (1, 409)
    assert work.texts() == ["first\n", "second\n"]
