"""Tending waits: what a message makes of one, in order and out of order, once and twice."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import pytest

from forge.jsontext import encode
from forge.store.store import Store
from forge.testing.builders import a_workspace
from forge.testing.clock import NOON, FakeIds
from forge.testing.instruments import watched
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.background.waits import tending
from forge.work.plans.waits.waits import GRACE, Stage, WaitItem, WaitKind
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.log.rows import LOG, LogItem
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.workers import Worker
from tests.unit.work.plans.waits.questions import Question, Told, ask
from tests.workshop.events import relay
from tests.workshop.interference import COMMIT, Interference, once_before

DAY = timedelta(days=1)
ASKED = '{"workspaceId": "ws_1", "waitId": "ar_1-1", "stage": "ASKED", "taskToken": "first"}'
REMINDED = ASKED.replace("ASKED", "REMINDED").replace("first", "second")
TIMED_OUT = '{"workspaceId": "ws_1", "waitId": "ar_1-1", "stage": "TIMED_OUT"}'
LOOK = encode({"workspaceId": "ws_1", "waitId": "ar_1-1"})


class Desk:
    """Whoever tends one question, at any time."""

    def __init__(self, store: Store) -> None:
        self.question, self.told = Question(), Told()
        self.store = replace(store, executions=self.told)
        self._ids = FakeIds()
        self.now = NOON
        tx = self.at(NOON).begin("ws_1")
        tx.create(a_workspace(id="ws_1"))
        store.commit(tx)

    def at(self, now: datetime) -> Worker:
        return Worker(self.store, lambda: now, self._ids, "waits")

    @property
    def matters(self) -> dict[WaitKind, Question]:
        return dict.fromkeys(WaitKind, self.question)

    def hear(self, *texts: str, after: timedelta = timedelta(0)) -> WaitItem:
        for text in texts:
            tending.consume(self.at(NOON + after), text, self.matters)
        return self.wait

    def sweep(self, after: timedelta) -> int:
        return sweep.run(Sweep(Worker(self.store, lambda: NOON + after, self._ids), lambda *failure: None))

    def lose_messages(self) -> None:
        """What was written is sent, and nobody gets it."""
        relay(self.store, "ws_1")
        for message in self.store.queues.receive("waits", most=10):
            self.store.queues.delete("waits", message)

    @property
    def wait(self) -> WaitItem:
        found = self.store.table.find(WaitItem, WaitItem.at("ws_1", "ar_1-1"))
        assert found is not None
        return found

    def done(self) -> list[str]:
        rows = self.store.table.query_all(LOG("ws_1"), most=100).of(LogItem)
        return [row.action for row in rows if row.action != "wait"]


@pytest.fixture
def desk(store: Store) -> Desk:
    desk = Desk(store)
    ask(desk.at(NOON))
    desk.lose_messages()
    return desk


def test_an_execution_is_started_once_however_often_it_is_looked_at(desk: Desk) -> None:
    desk.hear(LOOK, LOOK, LOOK)

    assert desk.told.started == [("plan_approval", "ar_1-1-1", "ASKED")]
    assert desk.wait.look_at == NOON + DAY + GRACE


def test_an_execution_that_could_not_be_started_has_the_same_name_the_next_time(desk: Desk) -> None:
    desk.told.is_down = True
    with pytest.raises(ConnectionError):
        desk.hear(LOOK)
    desk.told.is_down = False

    desk.hear(LOOK)

    assert desk.told.started == [("plan_approval", "ar_1-1-1", "ASKED")]


def test_whoever_waits_is_told_when_there_is_an_answer_and_only_then(desk: Desk) -> None:
    desk.hear(LOOK, ASKED)
    assert desk.told.completed == []
    desk.question.answer = "ACCEPTED"

    wait = desk.hear(LOOK)

    assert desk.told.completed == [("first", "ACCEPTED")]
    assert (wait.outcome, wait.look_at, wait.token) == ("ACCEPTED", None, None)


def test_an_execution_that_asks_after_the_answer_is_told_at_once_and_changes_nothing(desk: Desk) -> None:
    desk.question.answer = "DECLINED"
    desk.hear(LOOK)

    desk.hear(ASKED, REMINDED, TIMED_OUT)

    assert desk.told.completed == [("first", "DECLINED"), ("second", "DECLINED")]
    assert desk.done() == []


def test_a_stage_is_done_once_and_a_late_message_about_an_earlier_one_is_nothing(desk: Desk) -> None:
    desk.hear(LOOK, ASKED)

    wait = desk.hear(REMINDED, REMINDED, ASKED, after=DAY)

    assert (wait.stage, wait.token) == (Stage.REMINDED, "second")
    assert desk.done() == ["reminded"]


def test_with_the_last_stage_it_is_over(desk: Desk) -> None:
    desk.hear(LOOK, ASKED)
    desk.hear(REMINDED, after=DAY)

    wait = desk.hear(TIMED_OUT, TIMED_OUT, after=7 * DAY)

    assert (wait.outcome, wait.look_at) == ("TIMED_OUT", None)
    assert desk.done() == ["reminded", "timed_out"]


def test_where_nothing_is_heard_of_the_execution_the_stage_is_reached_and_another_goes_on_from_it(
    desk: Desk,
) -> None:
    desk.hear(LOOK)

    wait = desk.hear(LOOK, after=DAY + GRACE)

    assert (wait.stage, desk.done()) == (Stage.REMINDED, ["reminded"])
    assert desk.told.started[-1] == ("plan_approval", "ar_1-1-2", "REMINDED")


def test_the_sweep_has_somebody_look_at_a_wait_whose_first_message_was_lost(desk: Desk) -> None:
    assert desk.sweep(UNSENT_AFTER) == 1

    assert desk.wait.look_at == NOON + UNSENT_AFTER + WaitItem.again_after
    (message,) = desk.store.queues.receive("waits", most=10)
    desk.hear(message.body)
    assert len(desk.told.started) == 1


def test_the_sweep_looks_at_nothing_that_is_over(desk: Desk) -> None:
    desk.question.answer = "ACCEPTED"
    desk.hear(LOOK)

    assert desk.sweep(30 * DAY) == 0


def test_without_step_functions_the_sweep_alone_brings_a_wait_to_its_end(store: Store) -> None:
    desk = Desk(store)
    desk.store = store
    ask(desk.at(NOON))
    desk.lose_messages()

    for after in (UNSENT_AFTER, DAY + GRACE, 8 * DAY):
        desk.sweep(after)
        for message in store.queues.receive("waits", most=10):
            desk.hear(message.body, after=after)
            store.queues.delete("waits", message)

    assert desk.done() == ["reminded", "timed_out"]
    assert desk.wait.outcome == "TIMED_OUT"


def test_two_who_reach_a_stage_at_once_do_it_once(desk: Desk) -> None:
    desk.hear(LOOK)
    other = partial(desk.hear, REMINDED, after=DAY + GRACE)
    interference = Interference(once_before(COMMIT, other))
    slow = replace(desk.at(NOON + DAY + GRACE), store=watched(desk.store, interference))

    tending.consume(slow, LOOK, desk.matters)

    assert desk.done() == ["reminded"]
    assert (desk.wait.stage, desk.wait.token) == (Stage.REMINDED, "second")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"workspaceId": "ws_1", "waitId": "w", "stage": "NONE"}'])
def test_what_is_no_message_about_a_wait_is_put_aside(desk: Desk, text: str) -> None:
    with pytest.raises(Unreadable):
        desk.hear(text)


def test_a_wait_that_is_gone_needs_nothing(desk: Desk) -> None:
    assert tending.consume(desk.at(NOON), LOOK.replace("ar_1", "ar_2"), desk.matters) is None
