"""The router and a namespace's function, talking to each other."""

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from botocore.exceptions import ReadTimeoutError

from forge import errors
from forge.context import Call, Caller, Door, KeyKind, Narrowing, Role
from forge.errors import DomainError, ErrorCode, Retold
from forge.testing.world import World
from forge.wire.edge import Backend, Edge, Options
from forge.wire.invocation import (
    _all_kinds,
    is_invocation,
    read_answer,
    read_invocation,
    write_failure,
    write_invocation,
)
from forge.wire.remote import RemoteRunner
from tests.unit.wire.events import an_event
from tests.workshop.issues import a_queued_issue
from tests.workshop.office import Office
from tests.workshop.tasks import Client, asleep, claimed, relay

AGENT = Caller(
    "key_1", "ws_1", KeyKind.AGENT, frozenset({"READ_ISSUES"}), "ses_1", agent_id="agt_1",
    narrowing=Narrowing(project_ids=frozenset({"prj_1", "prj_2"})),
)  # fmt: skip
OWNER = Caller("key_2", "ws_1", KeyKind.PERSONAL, frozenset(), "ses_2", "usr_1", Role.OWNER)
ENDING = OWNER.replaced(expires_at=datetime(2026, 7, 28, 12, tzinfo=UTC), is_token=True)
ARCHIVED = AGENT.replaced(is_archived=True)


class FakeLambda:
    """Invokes what it was given, as Lambda would: JSON in, JSON out."""

    def __init__(self, function: Callable[[Any], Any], *, error: str | None = None) -> None:
        self._function = function
        self._error = error
        self.invoked: list[str] = []

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 - botocore's names
        self.invoked.append(FunctionName)
        answer = json.dumps(self._function(json.loads(Payload))).encode()
        more = {"FunctionError": self._error} if self._error else {}
        return {"StatusCode": 200, "Payload": io.BytesIO(answer), **more}


def a_router(function: FakeLambda) -> World:
    """A world whose workspace namespace is a function of its own."""
    runner = RemoteRunner({"workspace": "forge-workspace"}, lambda: cast("Any", function))
    return World(options=Options(runner=runner))


@pytest.mark.parametrize("caller", [AGENT, OWNER, ENDING, ARCHIVED])
@pytest.mark.parametrize("more", [{}, {"takes_tasks": True}, {"takes_tasks": True, "task": "slp_1"}])
def test_a_call_arrives_as_it_was_sent(caller: Caller, more: dict[str, Any]) -> None:
    call = Call("req_1", Door.RPC, "once", **more)

    sent = json.loads(json.dumps(write_invocation("labels.list", {"a": [1]}, caller, call)))

    assert read_invocation(sent) == ("labels.list", {"a": [1]}, caller, call)


@pytest.mark.parametrize(
    "kind",
    [kind for kind in _all_kinds(DomainError) if kind is not Retold and kind.__module__ == errors.__name__],
    ids=lambda kind: str(kind.__name__),
)
def test_a_failure_arrives_as_what_it_was(kind: type[DomainError]) -> None:
    error = kind(
        "No.", hint="Do.", issues={"a": "b"}, details={"c": 1}, retryable=True, retry_after_seconds=3
    )

    with pytest.raises(kind) as raised:
        read_answer(json.loads(json.dumps(write_failure(error))))

    assert raised.value.as_object("r") == error.as_object("r")
    assert raised.value.retry_after_seconds == 3


def test_the_function_answers_the_router_what_it_would_have_answered_itself() -> None:
    there = World()
    function = FakeLambda(there.edge.invoke)
    router = a_router(function)
    key = router.a_key()

    remote = router.rest("workspace.get", key=key)

    assert function.invoked == ["forge-workspace"]
    assert json.loads(remote.body) == json.loads(there.rest("workspace.get", key=there.a_key()).body)


def test_a_claim_sleeps_in_its_function_and_is_asked_for_in_the_router(office: Office) -> None:
    world = office.world
    function = FakeLambda(world.edge.invoke)
    runner = RemoteRunner({"issues": "forge-issues"}, lambda: cast("Any", function))
    backend = Backend(world.keys, world.services)
    alone, world.edge = world.edge, Edge(world.edge.catalog, backend, Options(runner=runner, write_log=len))
    client = Client(office, office.an_agents_key())

    task_id = asleep(client)
    assert client.get(task_id)["status"] == "working"
    asked = len(function.invoked)
    world.clock.advance(minutes=5)
    issue = a_queued_issue(office)
    relay(office)
    task = client.get(task_id)

    world.edge = alone
    assert (asked, claimed(task)) == (1, issue)


def test_what_has_no_function_of_its_own_runs_in_the_router() -> None:
    function = FakeLambda(World().edge.invoke)
    router = a_router(function)

    found = router.rest("catalog.search", {"query": "workspace"}, key=router.a_key())

    assert found.status == 200
    assert function.invoked == []


def test_a_tool_that_calls_another_reaches_its_function_too() -> None:
    function = FakeLambda(World().edge.invoke)
    router = a_router(function)

    answer = router.call("catalog.call", {"name": "workspace.get", "arguments": {}}, key=router.a_key())

    assert answer["isError"] is False
    assert function.invoked == ["forge-workspace"]


def test_bad_arguments_are_refused_by_the_function_in_its_own_words() -> None:
    router = a_router(FakeLambda(World().edge.invoke))

    refused = router.rest("workspace.get", {"nme": 1}, key=router.a_key())

    assert refused.status == 400
    assert list(json.loads(refused.body)["issues"]) == ["nme"]


def test_a_function_that_does_not_answer_in_time_is_unavailable_and_may_be_repeated() -> None:
    def hang(event: Any) -> Any:
        raise ReadTimeoutError(endpoint_url="lambda")

    router = a_router(FakeLambda(hang))

    answer = router.rest("workspace.get", key=router.a_key())

    assert answer.status == 503
    assert json.loads(answer.body)["retryable"] is True


def test_a_function_that_crashes_tells_the_caller_nothing_of_itself() -> None:
    router = a_router(FakeLambda(lambda event: {"errorMessage": "secret"}, error="Unhandled"))

    answer = router.rest("workspace.get", key=router.a_key())

    assert json.loads(answer.body)["error"] == ErrorCode.INTERNAL
    assert "secret" not in answer.body


def test_a_request_never_passes_for_an_invocation() -> None:
    forged = write_invocation("workspace.get", {}, OWNER, Call("r", Door.RPC))

    assert is_invocation(forged)
    assert not is_invocation(forged | an_event("{}"))


def test_what_an_older_build_does_not_know_is_left_out_where_it_says_nothing() -> None:
    plain, asking = Call("req_1", Door.RPC), Call("req_1", Door.RPC, can_ask=True)

    written = [write_invocation("a.tool", {}, AGENT, call) for call in (plain, asking)]

    assert ["can_ask" in one["call"] for one in written] == [False, True]
    assert [read_invocation(one)[3] for one in written] == [plain, asking]
