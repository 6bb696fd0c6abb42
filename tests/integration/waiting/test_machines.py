"""Both state machines, really executed: with answers, without, and with tokens that are out of date."""

import pytest

from forge.store.connections import Connections
from forge.store.store import Store
from forge.testing.clock import NOON, FakeIds
from forge.work.plans.waits.waits import WaitKind
from forge.work.workspace import jobs
from forge.work.workspace.workers import Worker
from tests.integration.waiting.machines import Attendant, with_machines
from tests.unit.work.plans.waits.questions import Question, ask

LONG, SHORT = 30, 1


class Asked:
    """A question that is asked, and an attendant who was told to look at it."""

    def __init__(self, store: Store, kind: WaitKind) -> None:
        self.question = Question()
        matters = dict.fromkeys(WaitKind, self.question)
        ids = FakeIds()
        self.attendant = Attendant(store, matters, lambda: NOON, ids)
        self.wait = ask(Worker(store, lambda: NOON, ids, "waits"), kind)
        self.look()

    def look(self) -> None:
        jobs.send(self.attendant.store, self.wait)


@pytest.mark.parametrize("kind", WaitKind)
def test_an_answer_ends_the_waiting_at_once(kind: WaitKind, store: Store, connections: Connections) -> None:
    asked = Asked(with_machines(store, connections, timeout_seconds=LONG), kind)
    asked.attendant.take_until("ASKED")
    asked.question.answer = "ANSWERED"

    asked.look()
    asked.attendant.take()

    assert asked.attendant.ended_with(kind.machine) == ("SUCCEEDED", {"outcome": "ANSWERED"})


@pytest.mark.parametrize(
    ("kind", "stages"),
    [
        (WaitKind.PLAN_APPROVAL, ["ASKED", "REMINDED", "TIMED_OUT"]),
        (WaitKind.STEP_JUDGING, ["ASKED", "REDISPATCHED", "ESCALATED"]),
    ],
)
def test_silence_leads_through_every_stage_to_the_end(
    kind: WaitKind, stages: list[str], store: Store, connections: Connections
) -> None:
    asked = Asked(with_machines(store, connections, timeout_seconds=SHORT), kind)

    assert asked.attendant.take_until(stages[-1]) == ["", *stages]

    assert asked.attendant.ended_with(kind.machine) == ("SUCCEEDED", None)


def test_tokens_that_are_out_of_date_or_used_change_nothing(store: Store, connections: Connections) -> None:
    served = with_machines(store, connections, timeout_seconds=SHORT)
    asked = Asked(served, WaitKind.PLAN_APPROVAL)
    asked.attendant.take_until("REMINDED")
    asked.question.answer = "ACCEPTED"
    asked.look()
    asked.attendant.take()
    assert asked.attendant.ended_with("plan_approval") == ("SUCCEEDED", {"outcome": "ACCEPTED"})

    for stage in ("ASKED", "REMINDED"):
        late = f'{{"workspaceId": "ws_1", "waitId": "{asked.wait.id}", "stage": "{stage}", "taskToken": "x"}}'
        asked.attendant.act(late)
        assert served.executions.complete("x", {"outcome": "DECLINED"}) is False

    assert asked.attendant.executions("plan_approval") == ["SUCCEEDED"]


def test_an_execution_of_the_same_name_is_not_started_again(store: Store, connections: Connections) -> None:
    executions = with_machines(store, connections, timeout_seconds=LONG).executions
    given = {"workspaceId": "ws_1", "waitId": "ar_1-1", "stage": "ASKED"}

    assert executions.start("plan_approval", "ar_1-1-1", given) is True
    assert executions.start("plan_approval", "ar_1-1-1", given) is False
