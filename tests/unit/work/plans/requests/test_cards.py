"""What a card says of a yes, and of what happened since it was asked."""

from datetime import timedelta

import pytest

from forge.testing.builders import a_desk, a_label, an_agent, an_issue
from forge.testing.clock import NOON
from forge.work.issues.issues import IssueItem
from forge.work.plans.requests import cards
from forge.work.plans.requests.requests import RequestKind
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names
from forge.work.workspace.statuses import StatusCategory
from tests.unit.work.plans.requests.asked import a_request

BUG, GONE, WORKER, ISSUE = a_label("bug"), a_label("gone"), an_agent(), an_issue()
OTHER = an_issue(id="iss_2", number=2)


def names() -> Names:
    """Of one agent and one label; nobody is a member any more."""
    absent = [GONE.key, MemberItem.at("ws_1", "usr_1")]
    return a_desk(ISSUE, holding=[BUG, WORKER], knowing_absent=absent).names


def find(issue_id: str) -> IssueItem | None:
    return {ISSUE.id: ISSUE, OTHER.id: OTHER}.get(issue_id)


@pytest.mark.parametrize(
    ("kind", "payload", "effect"),
    [
        ("TRANSITION", {"status_id": "sta_done"}, "Moves DEMO-1 to Done."),
        (
            "SET_LABELS",
            {"add": [BUG.id], "remove": [GONE.id]},
            "Changes the labels of DEMO-1: +bug, -a deleted label.",
        ),
        ("ASSIGN", {"user_ids": ["usr_1"]}, "Makes DEMO-1 the issue of usr_1, and of nobody else."),
        ("ASSIGN_AGENT", {"agent_id": WORKER.id}, "Gives DEMO-1 to @worker, who begins to work on it."),
        ("ARCHIVE", {}, "Archives DEMO-1: no list shows it any more, and its runs end."),
        (
            "CLOSE_AS_DUPLICATE",
            {"duplicate_of_issue_id": OTHER.id, "status_id": "sta_canceled"},
            "Marks DEMO-1 as a duplicate of DEMO-2, and moves it to Canceled.",
        ),
        ("FREE_FORM", None, "Changes nothing by itself; your words go to whoever asked."),
    ],
)
def test_a_yes_is_told_in_a_sentence(kind: str, payload: dict[str, object] | None, effect: str) -> None:
    request = a_request(kind=RequestKind(kind), payload=payload, issue_id=ISSUE.id)

    assert cards.effect_of(request, names(), find) == effect


def test_an_issue_that_is_gone_is_said_to_be() -> None:
    request = a_request(kind=RequestKind.ARCHIVE, payload={}, issue_id="iss_gone")

    assert "not there any more" in cards.effect_of(request, names(), find)
    assert cards.since(request, None, names()) == []


def test_what_the_asking_itself_did_to_the_issue_is_no_news() -> None:
    request = a_request(issue_id=ISSUE.id)
    touched = ISSUE.changed(updated_at=NOON + timedelta(seconds=1))
    changed = ISSUE.changed(updated_at=NOON + timedelta(minutes=1))

    assert cards.since(request, touched, names()) == []
    assert cards.since(request, changed, names()) == ["DEMO-1 changed after this was asked."]


def test_what_makes_a_yes_moot_is_said() -> None:
    payload = {"agent_id": WORKER.id, "status_id": "sta_done", "add": [GONE.id]}
    request = a_request(issue_id=ISSUE.id, payload=payload)
    done = an_issue(category=StatusCategory.DONE, assigned_agent_id=WORKER.id)

    assert cards.since(request, done, names()) == [
        "DEMO-1 is closed.",
        "It is in that status already.",
        "That agent has it already.",
        "A label that it names was deleted.",
    ]
