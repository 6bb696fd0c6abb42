"""How a task ends: what its call is answered with in the end, and what withdraws it.

Whatever is done for one goes through the tools, as its owner and with all their checks.
"""

from contextlib import suppress
from typing import Any

from forge.context import Call, Caller, Door
from forge.errors import DomainError, ErrorCode
from forge.jsontext import decode, encode
from forge.store.items import Item
from forge.store.keys import sortable_time
from forge.store.ranges import SortRange
from forge.wire.exchange import Exchange
from forge.wire.identity import has_canonical_names
from forge.wire.protocol import tool_failure, tool_success
from forge.wire.switchboard import Switchboard
from forge.work.issues.claims import sleepers
from forge.work.issues.claims.sleepers import SleeperItem
from forge.work.issues.followers import HELD_QUEUE, QUEUE, QueueItem
from forge.work.issues.runs.runs import RunItem
from forge.work.overviews.tasks import standings
from forge.work.overviews.tasks.standings import ClientsWord
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.plans.requests.requests import RequestItem, RequestTextItem
from forge.work.record import links

_RPC = Door.RPC
_WITHDRAWN = "Withdrawn by whoever asked."
_LOOKED_AT = 20
_NOT_YET = frozenset({ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE})


class Late(Exception):
    """What it came to can't be had right now."""


class Ends:
    def __init__(self, switchboard: Switchboard, exchange: Exchange) -> None:
        self._switchboard = switchboard
        self._exchange = exchange
        self._table = switchboard.services.store.table

    def attempted(self, one: Item) -> str | None:
        """What a sleeper has claimed just now, as members of a result; None while it sleeps on."""
        if not isinstance(one, SleeperItem) or not self._is_worth_trying(one):
            return None
        try:
            answer = self._claimed(one, one.arguments)
        except Late:
            return None
        except DomainError as error:
            return self._failed(error)
        return None if '"waits":{' in answer else tool_success(answer)

    def end_of(self, one: Item) -> str:
        """What the call is answered with, as members of a result."""
        try:
            if isinstance(one, SleeperItem):
                return tool_success(self._claimed(one, one.arguments))
            if isinstance(one, TaskItem):
                return self._of_job(one)
        except DomainError as error:
            return self._failed(error)
        if isinstance(one, RequestItem):
            return tool_success(encode(self._of_request(one)))
        if isinstance(one, RunItem):
            return tool_success(encode(standings.outcome(one)))
        raise TypeError(f"nobody waits for a {type(one).__name__}")

    def withdraw(self, one: Item) -> None:
        """As far as that can be done; what goes on all the same is told when it is asked for."""
        with suppress(DomainError):
            if isinstance(one, SleeperItem):
                self._claimed(one, {**one.arguments, "waitSeconds": 0})
            elif isinstance(one, RequestItem):
                settled = {"id": one.id, "status": "DISMISSED", "resolution": _WITHDRAWN}
                self._call("actionRequests.transition", settled)
            elif isinstance(one, RunItem):
                self._call("runs.resumeWork", {"runId": one.id})

    def answer(self, one: Item, said: ClientsWord) -> None:
        """Of its client's people, to an agent's own question. Who says no is not asked again."""
        if not isinstance(one, RunItem):
            return
        if said.words is None:
            waiting = {"runId": one.id, "reason": one.current_step, "blocking": one.is_blocking}
            self._call("runs.setWaiting", waiting, task=one.id)
        else:
            self._call("runs.resumeWork", {"runId": one.id, "currentStep": said.words})

    def _is_worth_trying(self, one: SleeperItem) -> bool:
        """Whether it was called, or a glance at the queue shows something for it."""
        now = self._exchange.now
        if one.is_called(now):
            return True
        age = now - one.created_at
        lapsed = SortRange(last=f"{sortable_time(now)}#")
        rows: list[QueueItem] = []
        if sleepers.looks_at_queue(age):
            rows += self._glance(QUEUE(one.workspace_id), SortRange())
        if sleepers.looks_at_lapsed(age):
            rows += self._glance(HELD_QUEUE(one.workspace_id), lapsed)
        return any(sleepers.suits(row, agent_id=one.agent_id, narrowing=one.narrowing) for row in rows)

    def _glance(self, partition: str, among: SortRange) -> list[QueueItem]:
        found = self._table.query(partition, limit=_LOOKED_AT, sort=among, is_strong=False)
        return found.first_ones().of(QueueItem)

    def _claimed(self, one: SleeperItem, arguments: dict[str, Any]) -> str:
        """By the session that fell asleep, whichever comes back."""
        exchange = self._exchange
        caller = exchange.caller
        try:
            if exchange.glanced is not None:
                # What may change something counts as a call, and has the key's rights as they are now.
                caller = exchange.glanced.entrance.admit(exchange.request.headers, _RPC, exchange.now)
            return self._call("issues.claim", arguments, _in_session(caller, one.session_id), task=one.id)
        except DomainError as error:
            if error.code in _NOT_YET or error.retryable:
                raise Late from error
            raise

    def _of_job(self, one: TaskItem) -> str:
        answer = self._call("gateway.result", {"task_id": one.id})
        told = decode(answer)
        return tool_success(answer) if told.get("ok") is not False else tool_failure(told)

    def _of_request(self, one: RequestItem) -> dict[str, Any]:
        context = self._switchboard.context(self._exchange.caller, self._call_of(None), "tasks/get")
        text = self._table.find(RequestTextItem, one.text_key) if one.resolution else None
        return standings.outcome(
            one.as_of(self._exchange.now),
            url=links.request_url(context, one.id),
            resolution=text.resolution if text else one.resolution,
        )

    def _call(
        self, name: str, arguments: dict[str, Any], caller: Caller | None = None, *, task: str | None = None
    ) -> str:
        as_whom = caller or self._exchange.caller
        tool = self._switchboard.allow(self._switchboard.catalog.get(name), as_whom)
        return self._switchboard.call(tool, arguments, caller=as_whom, call=self._call_of(task))

    def _call_of(self, task: str | None) -> Call:
        request = self._exchange.request
        return Call(request.id, _RPC, None, has_canonical_names(request), takes_tasks=True, task=task)

    def _failed(self, error: DomainError) -> str:
        return tool_failure(error.as_object(self._exchange.request.id))


def _in_session(caller: Caller, session_id: str) -> Caller:
    return caller.replaced(session_id=session_id)
