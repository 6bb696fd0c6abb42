"""Which of what happened on GitHub moves an issue, and where to."""

from typing import Any

import pytest

from forge.testing.builders import a_workspace, an_issue
from forge.work.backlog.github.mappings import StatusRules
from forge.work.backlog.github.resources import ResourceType
from forge.work.backlog.github.syncing import Happening, happened, moves, target
from forge.work.workspace.statuses import StatusCategory
from tests.unit.work.backlog.github.seen import a_resource, a_snapshot

CLOSED, OPEN = {"state": "closed"}, {"state": "open"}
MERGED = {"state": "closed", "is_merged": True}
DRAFT = {"is_draft": True}
ISSUE, PULL = ResourceType.ISSUE, ResourceType.PULL_REQUEST


@pytest.mark.parametrize(
    ("kind", "before", "now", "expected"),
    [
        (ISSUE, OPEN, CLOSED, Happening.ISSUE_CLOSED),
        (ISSUE, CLOSED, OPEN, Happening.ISSUE_REOPENED),
        (ISSUE, CLOSED, CLOSED, None),
        (PULL, OPEN, MERGED, Happening.PR_MERGED),
        (PULL, MERGED, MERGED, None),
        (PULL, OPEN, CLOSED, None),
        (PULL, CLOSED, OPEN, Happening.PR_OPENED),
        (PULL, DRAFT, OPEN, Happening.PR_READY_FOR_REVIEW),
        (PULL, DRAFT, CLOSED, None),
        (PULL, DRAFT, MERGED, Happening.PR_MERGED),
        (PULL, OPEN, DRAFT, None),
    ],
)
def test_what_came_between_two_looks_is_known(
    kind: ResourceType, before: dict[str, Any], now: dict[str, Any], expected: Happening | None
) -> None:
    assert happened(a_resource(kind, **before), a_snapshot(kind, **now)) is expected


@pytest.mark.parametrize("happening", Happening)
def test_everything_that_can_happen_has_a_rule_of_its_own(happening: Happening) -> None:
    rules = StatusRules.model_validate({f"{happening}_status_id": "sta_todo"})
    others = [one for one in Happening if one is not happening]

    found = target(rules, happening, a_workspace())

    assert found.status
    assert found.status.id == "sta_todo"
    assert all(target(rules, one, a_workspace()).status is None for one in others)


def test_without_a_rule_nothing_moves_and_one_that_leads_nowhere_is_told() -> None:
    lost = StatusRules(issue_closed_status_id="sta_gone")

    assert target(None, Happening.ISSUE_CLOSED, a_workspace()) == (None, None)
    assert target(lost, None, a_workspace()) == (None, None)
    found = target(lost, Happening.ISSUE_CLOSED, a_workspace())
    assert found.status is None
    assert found.ignored
    assert "sta_gone" in found.ignored


def test_what_is_over_is_moved_only_by_being_opened_again() -> None:
    done = an_issue(category=StatusCategory.DONE)
    todo = next(one for one in a_workspace().statuses if one.id == "sta_todo")

    assert moves(an_issue(), todo, Happening.CHECKS_FAILED)
    assert not moves(an_issue(category=StatusCategory.TODO), todo, Happening.CHECKS_FAILED)
    assert not moves(done, todo, Happening.CHECKS_FAILED)
    assert moves(done, todo, Happening.ISSUE_REOPENED)
