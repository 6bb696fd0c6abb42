"""Search finds the tool an agent means, among those its key may call."""

import json
from typing import Any

import pytest

from forge.contract.terms import Effect, Scope, Surface
from forge.testing.world import World
from tests.unit.catalog.small_world import a_small_world
from tests.unit.catalog_entries import an_entry

TRACKER = [
    an_entry("issues.create", "Create an issue and return it as stored.", scopes=["WRITE_ISSUES"]),
    an_entry("issues.list", "List issues by status, label or text.", scopes=["READ_ISSUES"]),
    an_entry("relations.add", "Link two issues: one blocks, duplicates or relates to the other."),
    an_entry("comments.create", "Comment on an issue.", effect=Effect.MUTATING),
    an_entry("time.start", "Start a timer on an issue."),
    an_entry("issues.listWatchers", "List who watches an issue.\n\nNotifications go to watchers."),
    an_entry("members.list", "List the members of the workspace.", surface=Surface.ADMIN),
]


def a_tracker() -> World:
    return a_small_world(*TRACKER)


@pytest.fixture
def tracker() -> World:
    return a_tracker()


def found(query: str, *, world: World | None = None, key: str | None = None, **more: Any) -> list[str]:
    place = world or a_tracker()
    asked = {"query": query, **more}
    result = place.call("catalog.search", asked, key=key or place.a_key(), query={"names": "canonical"})
    assert result["isError"] is False
    return [row["name"] for row in result["structuredContent"]["data"]]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("create issue", "issues.create"),
        ("link two issues", "relations.add"),
        ("list issues", "issues.list"),
        ("timer", "time.start"),
        ("who watches this issue?", "issues.listWatchers"),
        ("listWatchers", "issues.listWatchers"),
        ("list_watchers", "issues.listWatchers"),
        ("WATCHERS", "issues.listWatchers"),
        ("issues.list", "issues.list"),
        ("issues_listWatchers", "issues.listWatchers"),
        (" issues.create ", "issues.create"),
        ("watch", "issues.listWatchers"),
        pytest.param("creat an isssue", "issues.create", id="two typing mistakes"),
        pytest.param("watchrs", "issues.listWatchers", id="a letter left out"),
        pytest.param("commnet", "comments.create", id="letters swapped"),
        pytest.param("relatons", "relations.add", id="another letter left out"),
    ],
)
def test_the_tool_that_is_meant_comes_first_and_typing_mistakes_are_forgiven(query: str, best: str) -> None:
    assert found(query)[0] == best


@pytest.mark.parametrize("query", ["the", "how to", "!!!", "名前", "\n", "🦄"])
def test_a_query_without_a_telling_word_finds_nothing(query: str) -> None:
    assert found(query) == []


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("close an issue", "issues.transition"),
        ("what should I do next", "issues.claim"),
        ("give me something to work on", "issues.claim"),
        ("say how far I am", "comments.upsertStatus"),
        ("who am I", "agents.me"),
        ("report a bug", "issues.create"),
        ("transfer to another agent", "issues.reassign"),
        ("I need help from a human", "runs.setWaiting"),
        ("waiting for approval", "runs.setWaiting"),
        ("finish the run", "runs.complete"),
        ("upload a document", "artifacts.create"),
        ("show recent activity", "events.recent"),
        ("work assigned to me", "issues.assigned"),
        ("change priority", "issues.update"),
        ("this issue depends on that one", "relations.add"),
        ("remove a dependency", "relations.remove"),
        ("load the whole context of an issue", "agent.context.bundle"),
    ],
)
def test_what_people_say_every_day_leads_to_the_tool_they_mean(query: str, meant: str) -> None:
    """Some are phrases that the tools declare, some are not."""
    assert meant in found(query, world=World(), limit=3)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("which comments has the issue", "comments.list"),
        ("comment on the issue", "comments.create"),
        ("what does this issue block", "relations.listForIssue"),
        ("the runner is alive", "runtimes.heartbeat"),
        ("show the running timer", "time.running"),
    ],
)
def test_whoever_asks_is_led_to_what_reads_and_whoever_acts_to_what_changes(query: str, best: str) -> None:
    assert found(query, world=World())[0] == best


def test_a_word_that_nobody_knows_leaves_part_of_the_query_unanswered(tracker: World) -> None:
    key = tracker.a_key()

    rows = [
        tracker.call("catalog.search", {"query": query}, key=key)["structuredContent"]["data"][0]
        for query in ("timer", "timer zzyzzx")
    ]

    assert [row["name"] for row in rows] == ["time_start"] * 2
    whole, half = (row["score"] for row in rows)
    assert whole > 0.8
    assert half == pytest.approx(whole / 2, abs=0.1)


def test_a_phrase_that_a_tool_declares_is_published_nowhere_else() -> None:
    world = World()

    listed = world.modern("tools/list", key=world.a_key(), query={"profile": "full"})

    assert "hand it to someone else" not in listed.body
    assert "issues_reassign" in listed.body


def test_a_row_has_name_summary_and_score(tracker: World) -> None:
    result = tracker.call("catalog.search", {"query": "issues.listWatchers"}, key=tracker.a_key())

    row = result["structuredContent"]["data"][0]
    assert row == {"name": "issues_listWatchers", "description": "List who watches an issue.", "score": 1.0}


def test_names_are_those_that_the_door_lists(tracker: World) -> None:
    key, asked = tracker.a_key(), {"query": "timer"}

    portable = tracker.call("catalog.search", asked, key=key)["structuredContent"]
    canonical = tracker.call("catalog.search", asked, key=key, query={"names": "canonical"})
    rest = json.loads(tracker.rest("catalog.search", asked, key=key).body)

    assert portable["data"][0]["name"] == "time_start"
    assert canonical["structuredContent"]["data"][0]["name"] == rest["data"][0]["name"] == "time.start"


def test_scores_fall_from_one_to_zero(tracker: World) -> None:
    result = tracker.call("catalog.search", {"query": "create an issue"}, key=tracker.a_key())

    scores = [row["score"] for row in result["structuredContent"]["data"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_the_same_query_is_always_answered_the_same() -> None:
    assert found("issue") == found("issue")


@pytest.mark.parametrize("limit", [1, 3, "2"])
def test_no_more_rows_come_than_asked_for(limit: Any) -> None:
    assert len(found("issue", limit=limit)) == int(limit)


def test_ten_rows_come_unless_asked_otherwise() -> None:
    many = [an_entry(f"issues.list{number}", "List issues.") for number in range(30)]
    world = a_small_world(*many)

    assert len(found("list issues", world=world)) == 10


def test_a_tool_the_key_may_not_call_is_not_found(tracker: World) -> None:
    key = tracker.a_key(scopes=[Scope.READ_ISSUES])

    names = [found(query, world=tracker, key=key) for query in ("create issue", "issues.create")]

    assert "issues.list" in names[0]
    assert all("issues.create" not in each for each in names)


@pytest.mark.parametrize("query", ["members.list", "members_list", "members of the workspace"])
def test_an_admin_tool_is_never_found(query: str) -> None:
    assert "members.list" not in found(query)


def test_a_key_without_any_scope_may_search() -> None:
    world = a_small_world()

    assert "catalog.call" in found("call a tool", world=world, key=world.a_key(scopes=[]))


def test_every_tool_that_ships_is_found_by_its_name() -> None:
    world = World()
    key = world.a_key()

    for tool in world.edge.catalog.on(Surface.MCP):
        assert tool.name in found(tool.name, world=world, key=key, limit=50)
