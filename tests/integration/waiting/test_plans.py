"""Plans and steps that wait in state machines, really executed: answered, reminded, escalated."""

import json

import pytest

from forge.store.connections import Connections
from forge.store.store import Store
from forge.testing.world import World
from forge.work.background.waits.tending import MATTERS
from tests.integration.waiting.machines import Attendant, with_machines
from tests.workshop.events import relay
from tests.workshop.office import Body, Office
from tests.workshop.plans import Loop, a_loop, a_step

LONG, SHORT = 60, 1


class Deployed:
    """An office whose waits are tended as in a deployment."""

    def __init__(self, store: Store, connections: Connections, *, timeout_seconds: int) -> None:
        served = with_machines(store, connections, timeout_seconds=timeout_seconds)
        world = World(store=served)
        self.office = Office(world)
        self.loop: Loop = a_loop(self.office)
        self.attendant = Attendant(served, MATTERS, world.clock, world.ids)
        self.store = served

    def relay(self) -> None:
        relay(self.store, self.office.workspace.id)

    def asked_for_approval(self) -> tuple[str, str]:
        """A plan whose approval is waited for."""
        plan_id, _ = self.loop.plan(a_step("Design schema"))
        asked = self.office.call("plans.requestApproval", {"planId": plan_id})
        self.relay()
        return plan_id, asked["actionRequestId"]

    def in_review(self) -> tuple[str, str]:
        """A plan whose only step waits for its verdict."""
        plan_id, (step_id,) = self.loop.running(a_step("Design schema"))
        self.loop.move(step_id, "RUNNING")
        self.loop.move(step_id, "REVIEW")
        self.relay()
        return plan_id, step_id

    def status(self, plan_id: str) -> str:
        return str(self.office.call("executionPlans.get", {"id": plan_id})["status"])

    def request(self, request_id: str) -> Body:
        (found,) = [one for one in self.office.rows("actionRequests.list") if one["id"] == request_id]
        return found

    def calls_of_judge(self) -> int:
        return sum(one.get("phase") == "judge" for one in self.loop.told("EXECUTION_STEP_READY"))

    def gates(self) -> list[str]:
        told = [row.payload for row in self.office.log() if row.subject_type == "review-gate"]
        return [one["gateTargetId"] for one in told if one["action"] == "opened"]


@pytest.mark.parametrize(
    ("decision", "outcome", "status"),
    [("actionRequests.accept", "ACCEPTED", "RUNNING"), ("actionRequests.decline", "DECLINED", "DRAFT")],
)
def test_a_decision_ends_the_waiting_for_it(
    decision: str, outcome: str, status: str, store: Store, connections: Connections
) -> None:
    deployed = Deployed(store, connections, timeout_seconds=LONG)
    plan_id, request_id = deployed.asked_for_approval()
    deployed.attendant.take_until("ASKED")

    deployed.office.call(decision, {"id": request_id})
    deployed.relay()
    deployed.attendant.take()

    assert deployed.attendant.ended_with("plan_approval") == ("SUCCEEDED", {"outcome": outcome})
    assert deployed.status(plan_id) == status


def test_a_plan_that_nobody_decides_about_is_reminded_of_and_then_left_a_draft(
    store: Store, connections: Connections
) -> None:
    deployed = Deployed(store, connections, timeout_seconds=SHORT)
    plan_id, request_id = deployed.asked_for_approval()

    deployed.attendant.take_until("TIMED_OUT")

    reminders = [row for row in deployed.office.log() if row.action == "remind"]
    assert [row.subject_id for row in reminders] == [request_id]
    assert (deployed.request(request_id)["status"], deployed.status(plan_id)) == ("DISMISSED", "DRAFT")
    assert deployed.attendant.ended_with("plan_approval")[0] == "SUCCEEDED"
    again = deployed.office.call("plans.requestApproval", {"planId": plan_id})
    deployed.office.call("actionRequests.accept", {"id": again["actionRequestId"]})
    assert deployed.status(plan_id) == "RUNNING"


def test_a_verdict_ends_the_waiting_for_it(store: Store, connections: Connections) -> None:
    deployed = Deployed(store, connections, timeout_seconds=LONG)
    _, step_id = deployed.in_review()
    deployed.attendant.take_until("ASKED")

    deployed.loop.judge(step_id)
    deployed.relay()
    deployed.attendant.take()

    assert deployed.attendant.ended_with("step_judging") == ("SUCCEEDED", {"outcome": "DONE"})
    assert deployed.calls_of_judge() == 1


def test_a_silent_judge_is_called_again_and_then_a_person(store: Store, connections: Connections) -> None:
    deployed = Deployed(store, connections, timeout_seconds=SHORT)
    plan_id, step_id = deployed.in_review()

    taken = deployed.attendant.take_until("ESCALATED")

    assert [one for one in taken if one] == ["ASKED", "REDISPATCHED", "ESCALATED"]
    assert deployed.calls_of_judge() == 2
    assert deployed.gates() == [step_id]
    assert deployed.loop.told("PLAN_STALLED")[0]["reasonCode"] == "review_without_reviewer"
    deployed.loop.judge(step_id)
    assert deployed.status(plan_id) == "COMPLETED"


def test_messages_that_come_again_or_too_late_change_nothing(store: Store, connections: Connections) -> None:
    deployed = Deployed(store, connections, timeout_seconds=LONG)
    _, step_id = deployed.in_review()
    deployed.attendant.take_until("ASKED")
    stages = [
        json.dumps({"workspaceId": deployed.office.workspace.id, "waitId": f"{step_id}-1", "stage": stage})
        for stage in ("REDISPATCHED", "REDISPATCHED", "ESCALATED", "ESCALATED", "REDISPATCHED")
    ]

    for text in stages:
        deployed.attendant.act(text)
    deployed.loop.judge(step_id)
    for text in stages:
        deployed.attendant.act(text)

    assert (deployed.calls_of_judge(), deployed.gates()) == (2, [step_id])
