"""Every request that a call makes is allowed to the function that makes it; what others may is not."""

import json
from dataclasses import replace

import pytest

from forge.contract.models import Rendered
from forge.contract.terms import Surface
from forge.testing.clock import NOON
from forge.testing.instruments import Counter, Sent, watched
from forge.work.background import word_index
from forge.work.background.deliveries.delivering import deliver
from forge.work.background.sweep import sweep
from forge.work.background.sweep.sweep import Sweep
from forge.work.workspace.workers import Worker, worker_of
from infra.stack.data import queue_id
from infra.stack.functions import ADMIN, IN_ROUTER, ROUTER, TASKS, function_id
from tests.contract.calls import SAMPLES, every_sample
from tests.contract.permissions import Request, Statement, allows, object_request, requests_of, statements_of
from tests.contract.rehearsals import Rehearse
from tests.contract.stacks import RESOURCES
from tests.contract.stage import Sample

INVOKE, INLINE = {"RouterInvokes": True}, {"RouterInvokes": False}


def rights_of(folder: str, conditions: dict[str, bool] = INVOKE) -> list[Statement]:
    role, _ = RESOURCES[function_id(folder)]["Properties"]["Role"]["Fn::GetAtt"]
    return statements_of(RESOURCES[role], conditions)


def folder_of(sample: Sample) -> str:
    namespace = sample.tool.namespace
    return ROUTER if namespace in IN_ROUTER else namespace


def refused(rights: list[Statement], sent: list[Sent]) -> list[str]:
    return [str(one) for each in sent for one in requests_of(each) if not allows(rights, one)]


def sample_of(name: str) -> Sample:
    return next(sample for sample in SAMPLES if sample.tool.name == name)


@every_sample
def test_a_tool_may_do_what_it_does_in_its_function_and_inline(sample: Sample, rehearse: Rehearse) -> None:
    sent = rehearse(sample).requests

    own = sent
    if sample.tool.output is Rendered:
        # It calls others, and what they ask for is theirs.
        own = [one for one in sent if one.is_authentication]
    inline = sent if sample.tool.surface is Surface.MCP else []

    assert refused(rights_of(folder_of(sample)), own) == []
    assert refused(rights_of(ROUTER, INLINE), inline) == []


def test_the_router_that_invokes_may_count_a_call_and_write_nothing_of_tools(rehearse: Rehearse) -> None:
    sent = rehearse(sample_of("issues.create")).requests
    counted = [one for one in sent if one.is_authentication]
    commits = [one for one in sent if one.operation == "TransactWriteItems"]

    assert refused(rights_of(ROUTER), counted) == []
    assert counted
    told = refused(rights_of(ROUTER), commits)
    # The log and the records of repeated calls are the gateway's, too.
    shared = [str(one) for each in commits for one in requests_of(each) if str(one) not in told]
    assert len(told) > len(shared)
    assert all("#LOG'" in one or "#OUTBOX'" in one or "#IDEMPOTENCY#" in one for one in shared)


def test_readers_may_not_write_and_writers_make_no_keys(rehearse: Rehearse) -> None:
    made = [one for one in rehearse(sample_of("keys.create")).requests if one.items]
    created = [one for one in rehearse(sample_of("labels.create")).requests if one.items]

    assert refused(rights_of("statuses"), created)
    assert refused(rights_of("labels"), created) == []
    assert refused(rights_of("labels"), made)
    assert refused(rights_of(ADMIN), made) == []


def test_who_writes_what_people_prefer_can_not_write_people(rehearse: Rehearse) -> None:
    everywhere = next(one for one in SAMPLES if str(one) == "notification.setPreference everywhere")
    preferred = [one for one in rehearse(everywhere).requests if one.items]
    added = [one for one in rehearse(sample_of("members.add")).requests if one.items]

    assert refused(rights_of("notification"), preferred) == []
    assert refused(rights_of("labels"), preferred)
    assert any("USER#" in one for one in refused(rights_of("notification"), added))
    assert any("USER#" in one for one in refused(rights_of(ROUTER, INLINE), added))


def test_who_counts_a_call_may_not_change_what_its_key_grants(rehearse: Rehearse) -> None:
    (count,) = [one for one in rehearse(sample_of("statuses.list")).requests if one.is_authentication]
    names = {**count.parameters.get("ExpressionAttributeNames", {}), "#wider": "scopes"}
    wider = Sent(count.operation, {**count.parameters, "ExpressionAttributeNames": names}, {})

    assert refused(rights_of("statuses"), [count]) == []
    assert refused(rights_of("statuses"), [wider])


@pytest.mark.parametrize("worker", ["relay", "sweep"])
def test_the_workers_may_do_what_it_takes_to_send_a_change(worker: str, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample_of("issues.create"))
    rehearsal.rewind()
    rehearsal.call()
    used = Counter()
    next_year = NOON.replace(year=NOON.year + 1)
    task = Sweep(
        Worker(watched(rehearsal.store, used), lambda: next_year, rehearsal.world.ids), lambda *failure: None
    )

    assert sweep.run(task) > 0
    assert used.writes > 0
    assert refused(rights_of(worker), used.sent) == []


def test_the_worker_of_words_may_do_what_it_takes(rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample_of("issues.create"))
    rehearsal.rewind()
    issue_id = json.loads(rehearsal.call().body)["id"]
    used, workspace_id = Counter(), rehearsal.world.workspace.id
    task = replace(worker_of(rehearsal.world.services, "words"), store=watched(rehearsal.store, used))

    assert word_index.consume(task, json.dumps({"workspaceId": workspace_id, "issueId": issue_id}))

    assert used.writes == 3
    assert refused(rights_of("words"), used.sent) == []


def test_the_dispatch_may_do_what_it_takes_to_deliver(rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample_of("webhookDeliveries.retry"))
    rehearsal.rewind()
    rehearsal.call()
    used, services = Counter(), rehearsal.world.services
    task = replace(worker_of(services, "dispatch"), store=watched(rehearsal.store, used))

    tried = deliver(task, rehearsal.world.workspace.id, rehearsal.ready.arguments["id"])

    assert tried is not None
    assert used.writes == 2
    assert refused(rights_of("dispatch"), used.sent) == []


@pytest.mark.parametrize("conditions", [INVOKE, INLINE])
def test_the_router_hands_out_what_takes_long_and_reads_what_came_of_it(conditions: dict[str, bool]) -> None:
    rights = rights_of(ROUTER, conditions)

    assert allows(rights, Request("sqs:SendMessage", f"arn:{queue_id(TASKS)}.Arn"))
    assert allows(rights, object_request("GetObject", "texts/ws_1/task_1/answer"))


def test_the_router_that_invokes_reads_no_texts_of_tools() -> None:
    assert not allows(rights_of(ROUTER), object_request("GetObject", "texts/ws_1/iss_1/txt_1"))


@pytest.mark.parametrize(
    ("folder", "action", "is_allowed"),
    [("artifacts", "PutObject", True), ("artifacts", "GetObject", True), ("statuses", "PutObject", False)],
)
def test_objects_are_written_by_writers_and_read_by_all(folder: str, action: str, is_allowed: bool) -> None:
    assert allows(rights_of(folder), object_request(action)) is is_allowed


@pytest.mark.parametrize(
    ("folder", "name", "actions"),
    [
        (
            "attachments",
            "ws_1/attachments/issue/iss_1/att_1-a.png",
            {"PutObject", "GetObject", "DeleteObject"},
        ),
        ("attachments", "idempotency/ws_1/answer", {"PutObject", "GetObject"}),
        ("attachments", "texts/ws_1/iss_1/txt_1", set()),
        ("artifacts", "ws_1/attachments/issue/iss_1/att_1-a.png", {"PutObject", "GetObject"}),
        ("sweep", "ws_1/attachments/issue/iss_1/att_1-a.png", {"GetObject", "DeleteObject"}),
        ("sweep", "texts/ws_1/iss_1/txt_1", {"GetObject"}),
    ],
)
def test_files_are_removed_by_those_alone_who_keep_them(folder: str, name: str, actions: set[str]) -> None:
    rights = rights_of(folder)

    asked = ("PutObject", "GetObject", "DeleteObject")
    assert {action for action in asked if allows(rights, object_request(action, name))} == actions
