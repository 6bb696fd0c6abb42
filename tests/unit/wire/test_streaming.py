"""Whoever follows events hears of each once, over answers that end."""

import json
from typing import Any

import pytest

from forge.auth.entrance import MOST_FOLLOWERS
from forge.context import Narrowing
from forge.contract.terms import Scope
from forge.store.store import Store
from forge.testing.world import World
from forge.wire.edge import Options
from forge.wire.http import Response
from forge.wire.paths import STREAM_PATH
from forge.wire.streaming import LONGEST_WAIT
from tests.unit.wire.waiting import Waiting
from tests.workshop.chat import a_talk
from tests.workshop.office import Office


@pytest.fixture
def followed(store: Store, waiting: Waiting) -> Office:
    return Office(World(store=store, options=Options(wait=waiting)))


def follow(office: Office, *, key: str | None = None, last: str | None = None, **query: str) -> Response:
    headers = {"last-event-id": last} if last else {}
    return office.world.send(
        "", method="GET", path=STREAM_PATH, key=key or office.owner_key, headers=headers, query=query
    )


def told(answer: Response) -> list[dict[str, Any]]:
    assert answer.status == 200, answer.body
    return [json.loads(line[6:]) for line in answer.body.splitlines() if line.startswith("data: ")]


def last_id(answer: Response) -> str:
    return [line[4:] for line in answer.body.splitlines() if line.startswith("id: ")][-1]


def an_issue(office: Office, title: str = "Ship") -> Any:
    return office.call("issues.create", {"title": title})


def test_a_follower_hears_of_what_comes_while_it_waits(followed: Office, waiting: Waiting) -> None:
    waiting.meanwhile = lambda: an_issue(followed) if waiting.seconds == 3 else None

    answer = follow(followed)

    assert waiting.seconds == 3
    assert [event["kind"] for event in told(answer)] == ["ISSUE_CREATED"]
    assert answer.headers["content-type"] == "text/event-stream"
    assert "\nevent: ISSUE_CREATED\n" in answer.body


def test_it_goes_on_where_it_was_and_hears_of_nothing_twice(followed: Office) -> None:
    first = follow(followed)
    an_issue(followed, "one")
    second = follow(followed, last=last_id(first))
    an_issue(followed, "two")

    third = follow(followed, last=last_id(second))

    assert [event["payload"]["title"] for event in (*told(second), *told(third))] == ["one", "two"]


def test_an_answer_that_was_cut_off_goes_on_after_the_last_event_that_arrived(followed: Office) -> None:
    start = last_id(follow(followed))
    for title in ("one", "two", "three"):
        an_issue(followed, title)
    ids = [line[4:] for line in follow(followed, last=start).body.splitlines() if line.startswith("id: ")]

    rest = told(follow(followed, last=ids[1]))

    assert [event["payload"]["title"] for event in rest] == ["three"]


def test_silence_is_waited_for_and_followers_ask_less_often_after_some(
    followed: Office, waiting: Waiting
) -> None:
    answer = follow(followed)
    assert waiting.seconds == LONGEST_WAIT
    pauses = [answer.body.splitlines()[0]]

    for _ in range(3):
        answer = follow(followed, last=last_id(answer))
        pauses.append(answer.body.splitlines()[0])

    assert pauses == ["retry: 1000", "retry: 1000", "retry: 15000", "retry: 15000"]
    an_issue(followed)
    assert follow(followed, last=last_id(answer)).body.startswith("retry: 300\n")


def test_it_may_begin_earlier(followed: Office) -> None:
    an_issue(followed, "long ago")
    since = followed.world.clock().isoformat()
    followed.world.clock.advance(hours=3)

    assert [event["payload"]["title"] for event in told(follow(followed, since=since))] == ["long ago"]


def test_a_subject_is_followed_by_its_name(followed: Office, waiting: Waiting) -> None:
    wanted = an_issue(followed, "wanted")
    other = an_issue(followed, "other")

    def change_both() -> None:
        for issue in (other, wanted):
            followed.call("issues.update", {"id": issue["id"], "title": "changed"})

    waiting.meanwhile = change_both

    answer = follow(followed, subject=f"issue:{wanted['identifier']}")

    assert {event["subjectId"] for event in told(answer)} == {wanted["id"]}


def test_a_narrowed_key_hears_of_its_own_issues_alone(followed: Office, waiting: Waiting) -> None:
    mine = followed.call("projects.create", {"key": "MINE", "name": "Mine"})["id"]
    key = followed.world.a_key(
        scopes=[Scope.SUBSCRIBE_EVENTS], narrowing=Narrowing(project_ids=frozenset({mine}))
    )
    hidden = an_issue(followed, "hidden")

    def two() -> None:
        an_issue(followed, "hidden")
        followed.call("issues.create", {"title": "seen", "projectId": mine})

    waiting.meanwhile = two
    answer = follow(followed, key=key)

    assert [event["payload"]["title"] for event in told(answer)] == ["seen"]
    assert follow(followed, key=key, subject=f"issue:{hidden['id']}").status == 403


def test_what_a_person_muted_is_not_told_to_them(followed: Office) -> None:
    since = followed.world.clock().isoformat()
    an_issue(followed)
    followed.an_agent()
    followed.call("notification.setPreference", {"eventKind": "ISSUE_CREATED", "enabled": False})

    assert [event["kind"] for event in told(follow(followed, since=since))] == ["AGENT_CREATED"]


def test_a_thread_is_heard_by_its_agent_and_its_person_alone(followed: Office) -> None:
    since = followed.world.clock().isoformat()
    talk, other = a_talk(followed), a_talk(followed, "other")
    talk.ask()
    talk.reply()

    def heard(key: str) -> list[str]:
        news = told(follow(followed, key=key, since=since))
        return [one["payload"]["role"] for one in news if one["subjectType"] == "chat-thread"]

    assert heard(talk.agent_key) == heard(followed.owner_key) == ["USER", "AGENT"]
    for stranger in (other.agent_key, followed.a_colleague("ADMIN").key):
        assert heard(stranger) == []


def test_a_key_narrowed_to_initiatives_hears_of_no_others(followed: Office, waiting: Waiting) -> None:
    mine = followed.an_initiative("Mine")["id"]
    key = followed.a_narrowed_key(initiative_ids=[mine])

    def change_both() -> None:
        followed.an_initiative("Other")
        followed.call("initiatives.update", {"id": mine, "status": "ACTIVE"})

    waiting.meanwhile = change_both

    assert [one["subjectId"] for one in told(follow(followed, key=key))] == [mine]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"subject": "issue:DEMO-99"}, 400),
        ({"subject": "agent:nobody"}, 400),
        ({"subject": "x" * 121}, 400),
        ({"since": "yesterday"}, 400),
        ({"since": "2030-01-01T00:00:00"}, 400),
        ({"lastEventId": "nonsense"}, 400),
    ],
)
def test_what_nobody_can_follow_is_refused(query: dict[str, str], status: int, followed: Office) -> None:
    assert follow(followed, **query).status == status


def test_it_needs_its_scope_and_is_only_read(followed: Office) -> None:
    key = followed.world.a_key(scopes=[Scope.READ_ISSUES])

    assert json.loads(follow(followed, key=key).body)["error"] == "scope_required"
    assert followed.world.send({}, path=STREAM_PATH, key=followed.owner_key).status == 405


def test_a_key_has_few_followers_at_a_time(followed: Office, waiting: Waiting) -> None:
    more = [*range(MOST_FOLLOWERS)]
    answers: list[int] = []

    def another() -> None:
        if more:
            more.pop()
            answers.append(follow(followed).status)

    waiting.meanwhile = another
    first = follow(followed)

    assert first.status == 200
    assert sorted(answers) == [200] * (MOST_FOLLOWERS - 1) + [429]
    assert follow(followed).status == 200


def test_another_workspace_hears_nothing(followed: Office, waiting: Waiting) -> None:
    foreign = followed.world.add_workspace("foreign")
    waiting.meanwhile = lambda: an_issue(followed)

    assert told(follow(followed, key=followed.world.owner_key(foreign))) == []


def test_waiting_does_not_look_like_a_slow_answer(followed: Office) -> None:
    follow(followed)

    line = json.loads(followed.world.log[-1])
    assert (line["operation"], line["outcome"]) == ("events.stream", "ok")


def test_a_name_that_the_stream_does_not_know_is_a_mistake(followed: Office) -> None:
    answer = follow(followed, kinds="ISSUE_CREATED")

    assert (answer.status, set(json.loads(answer.body)["issues"])) == (400, {"kinds"})
