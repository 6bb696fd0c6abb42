"""Who is called by name in a text: by taken names that were read, and as far as they are there to hear it."""

import pytest

from forge.contract.terms import EngagementMode
from forge.store.readings import NeverRead
from forge.testing.builders import (
    WORKSPACE_ID,
    a_change,
    a_desk,
    an_agent,
    an_issue,
)
from forge.testing.clock import NOON
from forge.work.content.comments import mentions
from forge.work.content.comments.mentions import MAX_AGENTS, MAX_NAMES, Mentioned, NamedInText
from forge.work.issues.desks import Desk
from forge.work.issues.runs.runs import EngagementSource
from forge.work.issues.runs.waking import Reason, WakeCall
from forge.work.issues.watchers import WatchItem
from forge.work.workspace.taken_names import NameItem
from tests.workshop.outcomes import given_to

WORKER, REVIEWER = an_agent(), an_agent("Reviewer")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("@ada", ["ada"]),
        ("Thanks, @ada!", ["ada"]),
        ("(@ada) @bob. @carl: @dora,", ["ada", "bob", "carl", "dora"]),
        ("@a-b_c9 @9lives", ["a-b_c9", "9lives"]),
        ("@ada @Ada @ADA", ["ada"]),
        ("@bob @ada @bob", ["bob", "ada"]),
        ("mail ada@example.com, or jürgé@example.com", []),
        ("`@ada` and ``a ` @bob`` but @carl", ["carl"]),
        ("a lone ` before @ada", ["ada"]),
        ("a lone ` here\n\n@ada and ` there", ["ada"]),
        ("```py\n@app.route\n```\n@ada", ["ada"]),
        ("~~~\n@bob\n```\n@carl\n~~~\n@ada", ["ada"]),
        ("> ```\n> @bob\n> ```\n> @ada", ["ada"]),
        ("@ada\n```\n@bob is never closed", ["ada"]),
        ("``` @bob ``` @ada", ["ada"]),
        ("https://example.com/@bob/x?y=@carl @ada", ["ada"]),
        ("[see](https://example.com/@bob),@ada", ["ada"]),
        ("www.example.com/@bob example.com/@carl mailto:@dora @ada/@eve", ["ada", "eve"]),
        ("@@ada", ["ada"]),
        ("@-ada @_ada @ ada @", []),
        ("请@worker看一下", ["worker"]),
        ("@漢字 @émile", []),
        ("no names", []),
    ],
)
def test_a_name_is_what_follows_an_at_sign(text: str, tokens: list[str]) -> None:
    assert mentions.tokens_in(text) == tokens


def test_any_number_of_words_may_be_names() -> None:
    text = " ".join(f"@n{number} @N{number}" for number in range(3_000))

    assert mentions.tokens_in(text) == [f"n{number}" for number in range(3_000)]


def a_taken_name(kind: str, name: str) -> NameItem:
    owner = f"{'agt' if kind == 'AGENT' else 'usr'}_{name}"
    return NameItem(workspace_id=WORKSPACE_ID, kind=kind, value=name, owner_id=owner)


def knowing(agents: list[str], people: list[str], *, tokens: list[str]) -> Desk:
    """Whose names were looked for, and found for these."""
    names = [
        *(a_taken_name("AGENT", one) for one in agents),
        *(a_taken_name("HANDLE", one) for one in people),
    ]
    found = {name.key for name in names}
    absent = [key for key in mentions.names_of(WORKSPACE_ID, tokens) if key not in found]
    return a_desk(an_issue(), holding=names, knowing_absent=absent)


def test_names_are_those_of_agents_and_people_in_the_order_they_are_mentioned() -> None:
    tokens = ["two", "ada", "nobody", "one"]
    desk = knowing(["one", "two"], ["ada"], tokens=tokens)

    assert mentions.named_by(desk, WORKSPACE_ID, tokens) == NamedInText(["agt_two", "agt_one"], ["usr_ada"])


def test_a_name_that_a_person_and_an_agent_share_means_both() -> None:
    desk = knowing(["ada"], ["ada"], tokens=["ada"])

    assert mentions.named_by(desk, WORKSPACE_ID, ["ada"]) == NamedInText(["agt_ada"], ["usr_ada"])


def test_a_name_that_nobody_looked_up_is_not_taken_for_nobodys() -> None:
    with pytest.raises(NeverRead):
        mentions.named_by(a_desk(an_issue()), WORKSPACE_ID, ["ada"])


@pytest.mark.parametrize(
    ("agents", "people", "now"),
    [
        (MAX_AGENTS, MAX_NAMES - MAX_AGENTS, MAX_NAMES),
        (0, MAX_NAMES, MAX_NAMES),
        (MAX_AGENTS + 1, 0, MAX_AGENTS),
        (0, MAX_NAMES + 1, MAX_NAMES),
        (MAX_AGENTS + 2, 5, MAX_NAMES),
    ],
)
def test_so_many_are_called_at_once_and_the_rest_later(agents: int, people: int, now: int) -> None:
    called = [f"a{place}" for place in range(agents)], [f"p{place}" for place in range(people)]
    tokens = [*called[0], *called[1]]
    desk = knowing(*called, tokens=tokens)

    named, rest = mentions.at_once(desk, WORKSPACE_ID, tokens, looked_up=tokens)

    assert len(named.agent_ids) == min(agents, MAX_AGENTS)
    assert len(named.agent_ids) + len(named.user_ids) == now
    assert rest == [*called[0][MAX_AGENTS:], *called[1][now - min(agents, MAX_AGENTS) :]]


def test_words_that_were_not_looked_up_are_left_for_later_and_names_of_nobody_are_not() -> None:
    desk = knowing(["one"], [], tokens=["one", "nobody"])

    found = mentions.at_once(desk, WORKSPACE_ID, ["one", "nobody", "two"], looked_up=["one", "nobody"])

    assert found == (NamedInText(["agt_one"], []), ["two"])


def test_a_mode_in_code_is_nobodys() -> None:
    (call,) = mentions.calls(
        a_desk(an_issue()), Mentioned([WORKER], []), "`@worker execute:` @worker review: it"
    )

    assert call.engagement[0] is EngagementMode.REVIEW


def test_agents_that_are_archived_or_gone_are_not_mentioned() -> None:
    archived, gone = an_agent("archived", archived_at=NOON), an_agent("gone")
    desk = a_desk(an_issue(), holding=[WORKER, archived], knowing_absent=[gone.key])

    mentioned = mentions.resolve(desk, NamedInText([archived.id, WORKER.id, gone.id], ["usr_ada"]))

    assert mentioned == Mentioned([WORKER], ["usr_ada"])


def test_an_agent_that_was_not_read_is_not_taken_for_one_that_is_gone() -> None:
    with pytest.raises(NeverRead):
        mentions.resolve(a_desk(an_issue()), NamedInText([WORKER.id], []))


def test_what_is_told_of_them_is_their_ids_and_what_agents_are_called() -> None:
    assert Mentioned([WORKER, REVIEWER], ["usr_ada"]).told.payload() == {
        "agentIds": [WORKER.id, REVIEWER.id],
        "userIds": ["usr_ada"],
        "agents": [
            {"id": WORKER.id, "profileKey": "worker"},
            {"id": REVIEWER.id, "profileKey": "Reviewer"},
        ],
    }


def test_each_agent_is_called_in_a_mode_of_its_own() -> None:
    desk = a_desk(given_to(an_issue(), WORKER, EngagementMode.EXECUTE))

    calls = mentions.calls(desk, Mentioned([WORKER, REVIEWER], ["usr_ada"]), "@worker, @reviewer review: it")

    assigned = (EngagementMode.EXECUTE, EngagementSource.SURFACE_DEFAULT)
    asked = (EngagementMode.REVIEW, EngagementSource.EXPLICIT)
    assert calls == [
        WakeCall(WORKER.id, Reason.MENTIONED, assigned, ends_waiting=True),
        WakeCall(REVIEWER.id, Reason.MENTIONED, asked, ends_waiting=True),
    ]


def test_whoever_is_mentioned_watches_from_then_on() -> None:
    issue, named = an_issue(), NamedInText([WORKER.id], ["usr_ada"])
    watches = [WatchItem.at(WORKSPACE_ID, issue.id, one) for one in (WORKER.id, "usr_ada")]
    change = a_change(issue, holding=[WORKER], knowing_absent=watches)

    mentions.watch(change, mentions.resolve(change.desk, named))

    assert [(watch.agent_id, watch.user_id) for watch in change.watches] == [
        (WORKER.id, None),
        (None, "usr_ada"),
    ]
    assert set(mentions.needs(issue, named)) == {WORKER.key, *watches}
