"""Whoever ends a run first has ended it, and everybody else is told so."""

from collections import Counter
from typing import Any

import pytest

from forge.context import KeyKind
from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.wire.http import Response
from forge.work.issues.issues import IssueItem
from forge.work.issues.runs.reports import RunTextItem
from forge.work.issues.runs.runs import RunItem, RunStatus
from forge.work.record.log.kinds import EventKind
from forge.work.record.log.rows import LOG, LogItem
from tests.integration.races.crowds import at_once
from tests.unit.wire.answers import body_of
from tests.workshop.interference import COMMIT, Interference, once_before

ONCE = {"idempotency-key": "once"}


class Shift:
    """An agent at work on an issue, in the world's own workspace."""

    def __init__(self, world: World, store: Store, *, is_assigned: bool = True) -> None:
        self.world, self.store, self.workspace_id = world, store, world.workspace.id
        agent = {"profileKey": "worker", "name": "Worker"}
        self.agent_id = str(body_of(world.admin("agents.create", agent, key=world.owner_key()))["id"])
        self.key = self.a_key()
        self.issue_id = str(self.owner("issues.create", title="Fix login timeout")["id"])
        if is_assigned:
            self.owner("issues.assign", issueId=self.issue_id, agentId=self.agent_id)
        else:
            begin = {"id": self.issue_id, "statusId": self.status_id("TODO")}
            world.rest("issues.transition", begin, key=self.key)
        self.run_id = str(self.head.current_run_id)

    def a_key(self) -> str:
        return self.world.a_key(kind=KeyKind.AGENT, linked_agent_id=self.agent_id)

    def owner(self, tool: str, **arguments: object) -> dict[str, Any]:
        answer: dict[str, Any] = body_of(self.world.rest(tool, arguments, key=self.world.owner_key()))
        return answer

    def complete(self, summary: str = "Done.", **how: Any) -> Response:
        return self.world.rest(
            "runs.complete", {"runId": self.run_id, "summary": summary}, **{"key": self.key, **how}
        )

    @property
    def head(self) -> IssueItem:
        found = self.store.table.find(IssueItem, IssueItem.at(self.workspace_id, self.issue_id))
        assert found is not None
        return found

    @property
    def run(self) -> RunItem:
        found = self.store.table.find(RunItem, RunItem.at(self.workspace_id, self.run_id))
        assert found is not None
        return found

    @property
    def summary(self) -> str | None:
        text = self.store.table.find(RunTextItem, RunTextItem.at(self.workspace_id, self.run_id))
        return text.summary.text if text else None

    def log(self, kind: EventKind) -> list[LogItem]:
        rows = self.store.table.query_all(LOG(self.workspace_id), most=500)
        return [row for row in map(LogItem.from_attributes, rows) if row.kind is kind]

    def status_id(self, category: str) -> str:
        (found,) = self.owner("statuses.list", category=category)["data"]
        return str(found["id"])

    def close(self) -> None:
        self.owner("issues.transition", id=self.issue_id, statusId=self.status_id("DONE"))


def statuses(answers: list[Response]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


def test_of_two_completions_one_counts(store: Store, stored_world: World) -> None:
    shift = Shift(stored_world, store)

    answers = at_once(2, lambda place: shift.complete(f"By {place}."))

    assert statuses(answers) == {200: 1, 409: 1}
    (winner,) = [body_of(answer) for answer in answers if answer.status == 200]
    (event,) = shift.log(EventKind.AGENT_RUN_COMPLETED)
    assert winner["summary"] == event.payload["summary"] == shift.summary
    assert (shift.run.status, shift.head.live_runs) == (RunStatus.COMPLETED, [])


def test_of_eight_completions_one_moves_the_issue(store: Store, stored_world: World) -> None:
    shift = Shift(stored_world, store)
    review = shift.status_id("IN_REVIEW")
    stored_world.admin("workspaces.update", {"reviewStatusId": review}, key=stored_world.owner_key())
    callers = [shift.a_key() for _ in range(8)]

    answers = at_once(8, lambda place: shift.complete(key=callers[place]))

    assert statuses(answers) == {200: 1, 409: 7}
    assert len(shift.log(EventKind.AGENT_RUN_COMPLETED)) == 1
    assert len(shift.log(EventKind.ISSUE_STATUS_CHANGED)) == 1
    assert shift.head.status_id == review


def test_one_idempotency_key_from_six_sides_completes_once(store: Store, stored_world: World) -> None:
    shift = Shift(stored_world, store)

    answers = at_once(6, lambda _: shift.complete(headers=ONCE))

    assert statuses(answers) == {200: 6}
    assert len({answer.body for answer in answers}) == 1
    assert len(shift.log(EventKind.AGENT_RUN_COMPLETED)) == 1


def test_a_completion_that_was_overtaken_by_another_is_refused(store: Store) -> None:
    interference = Interference()
    world = World(store=watched(store, interference))
    shift = Shift(world, store)
    overtaking: list[int] = []
    interference.handle = once_before(COMMIT, lambda: overtaking.append(shift.complete("First.").status))

    answer = shift.complete("Second.")

    assert (overtaking, answer.status, body_of(answer)["retryable"]) == ([200], 409, False)
    assert shift.summary == "First."
    assert len(shift.log(EventKind.AGENT_RUN_COMPLETED)) == 1


def test_a_completion_that_was_overtaken_by_the_end_of_the_issue_is_refused(store: Store) -> None:
    interference = Interference()
    world = World(store=watched(store, interference))
    shift = Shift(world, store)
    interference.handle = once_before(COMMIT, shift.close)

    answer = shift.complete()

    assert answer.status == 409
    assert (shift.run.status, shift.summary) == (RunStatus.ABANDONED, None)
    assert len(shift.log(EventKind.AGENT_RUN_COMPLETED)) == 1


def test_a_completion_goes_on_when_something_else_happened_to_the_issue(store: Store) -> None:
    interference = Interference()
    world = World(store=watched(store, interference))
    shift = Shift(world, store)
    interference.handle = once_before(
        COMMIT, lambda: shift.owner("issues.update", id=shift.issue_id, priority="HIGH")
    )

    answer = shift.complete()

    assert answer.status == 200
    assert (shift.run.status, shift.head.priority, shift.head.live_runs) == (
        RunStatus.COMPLETED,
        "HIGH",
        [],
    )


@pytest.mark.parametrize("is_assigned", [True, False])
@pytest.mark.parametrize(
    ("demand", "field"),
    [
        ({"artifactRequired": True}, "producedArtifactIds"),
        ({"verificationChecklist": [{"label": "Tests pass"}]}, "verificationResult"),
    ],
)
def test_a_demand_that_came_in_between_counts(
    store: Store, demand: dict[str, Any], field: str, is_assigned: bool
) -> None:
    interference = Interference()
    world = World(store=watched(store, interference))
    shift = Shift(world, store, is_assigned=is_assigned)
    interference.handle = once_before(
        COMMIT, lambda: shift.owner("issues.update", id=shift.issue_id, **demand)
    )

    answer = shift.complete()

    assert (answer.status, set(body_of(answer)["issues"])) == (400, {field})
    assert shift.run.status is RunStatus.ACTIVE


def test_usage_and_the_end_reported_together_are_both_kept(store: Store, stored_world: World) -> None:
    shift = Shift(stored_world, store)
    usage = {"runId": shift.run_id, "tokensIn": 10}

    answers = at_once(
        2,
        lambda place: (
            shift.complete() if place else stored_world.rest("runs.recordUsage", usage, key=shift.key)
        ),
    )

    assert statuses(answers) == {200: 2}
    assert (shift.run.status, shift.run.tokens_in) == (RunStatus.COMPLETED, 10)


def test_waiting_and_the_end_together_never_leave_a_run_that_waits(store: Store, stored_world: World) -> None:
    shift = Shift(stored_world, store)
    wait = {"runId": shift.run_id}

    answers = at_once(
        2,
        lambda place: (
            shift.complete() if place else stored_world.rest("runs.setWaiting", wait, key=shift.key)
        ),
    )

    assert answers[1].status == 200
    assert answers[0].status in (200, 409)
    assert shift.run.status is RunStatus.COMPLETED
