"""Calls of the github tools, on a GitHub of their own."""

from tests.contract.hubs import a_hub
from tests.contract.samples.issues import a_busy_issue, a_status, an_idle_issue, an_issue
from tests.contract.stage import Arguments, Prepare, Stage, sample


def _link(stage: Stage) -> Arguments:
    """Of an issue whose agent hears of it."""
    hub = a_hub(stage)
    number = hub.repository.add_issue("Login hangs", labels=["bug"], assignees=["mona"])
    issue_id = an_idle_issue(stage)
    return {"issueId": issue_id, "url": hub.url(number), "kind": "IMPLEMENTS", "mappingId": hub.mapping_id}


def _linked_issue(stage: Stage) -> Arguments:
    given = _link(stage)
    for kind in ("RELATES_TO", "SOURCE"):
        stage.call("github.link", {**given, "kind": kind})
    return {"issueId": given["issueId"]}


def _import(stage: Stage) -> Arguments:
    """With all that a mapping can say of it."""
    hub = a_hub(
        stage,
        defaultProjectId=stage.a_project(),
        defaultLabelIds=[stage.a_label()],
        labelMap={"bug": stage.a_label()},
        defaultPriority="HIGH",
        assignedAgentId=stage.an_agent(),
        claimedById=stage.owner_id(),
    )
    number = hub.repository.add_issue("Login hangs on Safari", body="It hangs.", labels=["bug"])
    return {
        "mappingId": hub.mapping_id,
        "number": number,
        "projectId": stage.a_project(),
        "labelIds": [stage.a_label()],
        "queue": True,
    }


def _import_for_whoever_is_free(stage: Stage) -> Arguments:
    stage.an_agent_for_the_queue()
    hub = a_hub(stage, queueOnCreate=True)
    return {"repoFullName": hub.full_name, "number": hub.repository.add_issue("Login hangs")}


def _changed_there(stage: Stage, issue_id: str, *, is_idle: bool = False, **changes: str) -> Arguments:
    """The source of an issue, which is something else on GitHub by now."""
    hub = a_hub(stage, syncDescription=True, statusRules={"issueClosedStatusId": a_status(stage, "DONE")})
    number = hub.repository.add_issue("Login hangs")
    given = {"issueId": issue_id, "url": hub.url(number), "kind": "SOURCE"}
    linked = stage.call("github.link", given)
    hub.repository.change_issue(number, title="Login hangs on Safari", body="Since today.", **changes)
    if is_idle:
        # Afterwards: a link wakes its agent, too.
        stage.give_without_a_run(issue_id)
    return {"externalResourceId": linked["resource"]["id"]}


def _search(stage: Stage) -> Arguments:
    hub = a_hub(stage)
    hub.repository.add_issue("Login hangs", labels=["bug"])
    return {"mappingId": hub.mapping_id, "query": "login", "type": "issue", "limit": 5}


def _mappings(stage: Stage) -> Arguments:
    a_hub(stage)
    return {"includePaused": True}


SAMPLES = (
    sample("github.link", _link),
    sample("github.listLinked", _linked_issue),
    sample("github.listMappings", _mappings),
    sample("github.importIssue", _import),
    sample("github.importIssue", _import_for_whoever_is_free, variant="for whoever is free"),
    sample("github.sync", lambda stage: _changed_there(stage, a_busy_issue(stage), state="closed")),
    sample(
        "github.sync",
        lambda stage: _changed_there(stage, an_issue(stage), is_idle=True),
        variant="with another title",
    ),
    sample("github.search", _search),
)

ON_ISSUE: dict[str, Prepare] = {
    "github.link": lambda stage, issue_id: _link(stage) | {"issueId": issue_id},
    "github.importIssue": lambda stage, issue_id: _import(stage),
}
