"""Records one call of a few tools, with everything it asks of DynamoDB, on tables in this process."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from forge.cli.emulator import running_emulator
from forge.store.provision import provision
from forge.testing.embedded import embed_tables
from forge.testing.instruments import Counter, Sent, watched
from forge.testing.world import World
from forge.wire.aws_lambda import edge_handler
from tests.bench import workload
from tests.bench.recordings import Exchanged, Recording
from tests.contract.stage import ALL_SCOPES, ALL_TOOLS, Arguments, Stage

TABLE = "bench"
_ROWS = 20
_DESCRIPTION = "Whoever logs in with a password of more than 64 characters waits for a minute.\n\n" * 4


def record(names: tuple[str, ...]) -> list[Recording]:
    """Of each tool one call, on a stage that is set for all of them."""
    with TemporaryDirectory() as folder, running_emulator(Path(folder)) as emulator:
        requests = Counter()
        store = provision(embed_tables(emulator.connections()), TABLE)
        world = World(store=watched(store, requests))
        stage = Stage(world)
        for number in range(_ROWS + 5):
            _an_issue(stage, number)
        return [_record(name, CALLS[name], stage, requests) for name in names]


def _record(name: str, arguments: Callable[[Stage], Arguments], stage: Stage, requests: Counter) -> Recording:
    world = stage.world
    body = json.dumps(arguments(stage))
    key = stage.key_for(ALL_TOOLS[name], ALL_SCOPES)
    event = workload.event(body, key=key, path=f"/api/mcp/{name}")
    # So that the call authenticates with one request and not with two, as the first of a minute does.
    workload.require(world.rest("no such tool", key=key).status == 404, name)
    last_id = world.ids.last
    requests.reset()
    answer = edge_handler(world.edge)(event, None)
    workload.require(answer["statusCode"] == 200, answer)
    exchanged = tuple(_exchanged(sent) for sent in requests.sent)
    return Recording(name, event, exchanged, answer["body"], world.clock().isoformat(), last_id)


def _exchanged(sent: Sent) -> Exchanged:
    answer = {name: value for name, value in sent.answer.items() if name != "ResponseMetadata"}
    return Exchanged(sent.operation, sent.parameters, answer)


def _an_issue(stage: Stage, number: int = 0) -> str:
    order = {
        "title": f"Fix login timeout for passwords of {64 + number} characters",
        "description": _DESCRIPTION,
        "priority": "HIGH",
        "labelIds": [stage.a_label()],
    }
    return str(stage.call("issues.create", order)["id"])


def _a_new_issue(stage: Stage) -> Arguments:
    return {
        "title": "Fix login timeout",
        "description": _DESCRIPTION,
        "priority": "HIGH",
        "projectId": stage.a_project(),
        "labelIds": [stage.a_label(), stage.a_label()],
    }


def _a_queue(stage: Stage) -> Arguments:
    stage.call("issues.queue", {"id": _an_issue(stage)})
    return {"claimTtlMinutes": 30}


def _a_finished_run(stage: Stage) -> Arguments:
    issue_id = _an_issue(stage)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": stage.acting_agent})
    issue = stage.call("issues.get", {"id": issue_id, "include": {"currentRun": True}})
    return {"runId": issue["currentRun"]["id"], "summary": "Passwords are cut to 64 characters now."}


def _an_issue_with_history(stage: Stage) -> Arguments:
    issue_id, other_id = _an_issue(stage), _an_issue(stage)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": stage.an_agent(), "mode": "EXECUTE"})
    stage.call("relations.add", {"fromIssueId": issue_id, "toIssueId": other_id, "kind": "BLOCKS"})
    for body in ("It hangs here, too.", "Since yesterday.", "Only with long passwords."):
        stage.call("comments.create", {"issueId": issue_id, "body": body})
    stage.call("artifacts.create", {"title": "Report", "body": "Text.", "issueId": issue_id})
    return {"issueId": issue_id}


CALLS: dict[str, Callable[[Stage], Arguments]] = {
    "workspace.get": lambda stage: {},
    "issues.get": lambda stage: {"id": _an_issue(stage)},
    "issues.list": lambda stage: {"limit": _ROWS},
    "issues.create": _a_new_issue,
    "comments.create": lambda stage: {"issueId": _an_issue(stage), "body": "It hangs here, too."},
    "issues.claim": _a_queue,
    "runs.complete": _a_finished_run,
    "agent.context.bundle": _an_issue_with_history,
}
"""Everyday calls: what most agents send, neither the smallest nor the largest that there are."""
