"""Calls of the issues' tools, each on an issue that drags along whatever an issue can."""

from tests.contract.stage import Arguments, Prepare, Stage, sample


def a_status(stage: Stage, category: str) -> str:
    rows = stage.call("statuses.list", {"category": category})["data"]
    return str(rows[0]["id"])


def an_issue(stage: Stage, **more: object) -> str:
    """In a project, with a label, queued."""
    given = {"title": "Fix login timeout", "projectId": stage.a_project(), "labelIds": [stage.a_label()]}
    issue_id = str(stage.call("issues.create", {**given, "priority": "HIGH", **more})["id"])
    stage.call("issues.queue", {"id": issue_id})
    return issue_id


def a_busy_issue(stage: Stage, **more: object) -> str:
    """With an agent at work on it, and another issue that it blocks."""
    issue_id = an_issue(stage, **more)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": stage.an_agent(), "mode": "EXECUTE"})
    _block(stage, issue_id, an_issue(stage))
    return issue_id


def an_idle_issue(stage: Stage, **more: object) -> str:
    """With an agent that is not at work on it: what happens wakes it."""
    issue_id = an_issue(stage, **more)
    stage.give_without_a_run(issue_id)
    return issue_id


def _block(stage: Stage, issue_id: str, other_id: str) -> None:
    relation = {"fromIssueId": issue_id, "toIssueId": other_id, "kind": "BLOCKS"}
    stage.call("relations.add", relation)


def _filters(stage: Stage) -> Arguments:
    """Two of them, so that there is a next page."""
    project_id = stage.a_project()
    for _ in range(2):
        an_issue(stage, projectId=project_id)
    return {"projectId": project_id, "queued": True, "limit": 1}


def _many(stage: Stage, **more: object) -> Arguments:
    for _ in range(2):
        an_issue(stage)
    return {"limit": 1, **more}


def _an_issue_of(stage: Stage, agent_id: str, **more: object) -> str:
    issue_id = an_issue(stage, **more)
    stage.call("issues.assign", {"issueId": issue_id, "agentId": agent_id})
    return issue_id


def _watched(stage: Stage, *, times: int = 1) -> Arguments:
    for _ in range(times):
        an_issue(stage)
    return {"limit": 1}


def _watchers(stage: Stage) -> Arguments:
    return {"issueId": a_busy_issue(stage), "limit": 1}


def _profile_key(stage: Stage, agent_id: str) -> str:
    rows = stage.call("agents.list", {})["data"]
    return str(next(row["profileKey"] for row in rows if row["id"] == agent_id))


def _edit(stage: Stage) -> Arguments:
    return {
        "id": an_idle_issue(stage),
        "title": "Mend the login of everybody",
        "description": "It hangs for a minute.",
        "priority": "URGENT",
        "projectId": stage.a_project(),
        "cycleId": stage.a_cycle(),
        "parentId": an_issue(stage),
        "dueDate": "2099-12-31T12:00:00Z",
        "estimate": 3,
        "expectedOutput": "A test that fails before.",
        "verificationChecklist": [{"label": "Tests pass", "kind": "command", "value": "make test"}],
        "artifactRequired": True,
        "slaMinutes": 60,
    }


SAMPLES = (
    sample("issues.list", _filters),
    sample(
        "issues.list", lambda stage: _many(stage, orderBy="createdAt", includeDone=True), variant="by age"
    ),
    sample("issues.list", lambda stage: _many(stage, orderBy="updatedAt"), variant="by change"),
    sample("issues.list", lambda stage: _many(stage, orderBy="title"), variant="by title"),
    sample("issues.list", lambda stage: _many(stage, query="login timeout"), variant="with a query"),
    sample(
        "issues.list",
        lambda stage: {
            "statusId": a_status(stage, "BACKLOG"),
            "assignedAgentId": stage.an_agent(),
            "assigneeId": stage.owner_id(),
            "cycleId": stage.a_cycle(),
            "initiativeId": stage.an_initiative(),
        },
        variant="of everything that can be named",
    ),
    sample(
        "issues.list",
        lambda stage: {
            "projectIds": [stage.a_project()],
            "labelIds": [stage.a_label()],
            "cycleIds": [stage.a_cycle()],
            "initiativeIds": [stage.an_initiative()],
        },
        variant="of one of several",
    ),
    sample(
        "issues.get",
        lambda stage: {
            "id": a_busy_issue(stage),
            "include": {
                "description": True,
                "comments": {"limit": 100},
                "attachments": True,
                "relations": True,
                "currentRun": True,
                "labels": True,
            },
        },
    ),
    sample(
        "issues.create",
        lambda stage: {
            "title": "Fix login timeout for people with very long names and even longer passwords",
            "description": "It hangs.",
            "projectId": stage.a_project(),
            "priority": "HIGH",
            "statusId": a_status(stage, "IN_PROGRESS"),
            "labelIds": [stage.a_label(), stage.a_label()],
        },
    ),
    sample(
        "issues.create", lambda stage: {"title": "Fix login timeout"}, variant="by an agent", as_agent=True
    ),
    sample(
        "issues.create",
        lambda stage: {
            "title": "Fix login timeout",
            "queue": True,
            "assignedAgentId": stage.an_agent(templateMarkdown="# What is wrong"),
            "expectedOutput": "A test that fails before.",
            "verificationChecklist": [{"label": "Tests pass"}],
            "artifactRequired": True,
        },
        variant="as work at once",
    ),
    sample("issues.update", _edit),
    sample(
        "issues.setLabels",
        lambda stage: {
            "issueId": an_idle_issue(stage, labelIds=[label := stage.a_label()]),
            "add": [stage.a_label()],
            "remove": [label],
        },
    ),
    sample(
        "issues.create",
        lambda stage: {"title": "A", "queue": bool(stage.an_agent_for_the_queue()), "slaMinutes": 480},
        variant="for whoever has room",
    ),
    sample("issues.queue", lambda stage: {"id": _unqueued(stage)}),
    sample("issues.queue", lambda stage: {"id": _to_dispatch(stage)}, variant="for whoever has room"),
    sample("issues.setQueued", lambda stage: {"id": a_busy_issue(stage), "queued": False}),
    sample("issues.setQueued", lambda stage: {"id": _unqueued(stage), "queued": True}, variant="again"),
    sample(
        "issues.setQueued", lambda stage: {"id": _to_dispatch(stage), "queued": True}, variant="given out"
    ),
    sample(
        "issues.transition",
        lambda stage: {"id": a_busy_issue(stage), "statusId": a_status(stage, "DONE")},
        variant="to done",
    ),
    sample(
        "issues.transition",
        lambda stage: {"id": a_busy_issue(stage), "statusId": a_status(stage, "IN_PROGRESS")},
        variant="by an agent",
        as_agent=True,
    ),
    sample(
        "issues.bulkTransition",
        lambda stage: {
            "ids": [a_busy_issue(stage), an_issue(stage)],
            "statusId": a_status(stage, "CANCELED"),
        },
    ),
    sample(
        "issues.bulkTransition",
        lambda stage: {"ids": [an_idle_issue(stage)], "statusId": a_status(stage, "IN_PROGRESS")},
        variant="where work goes on",
    ),
    sample(
        "issues.assign",
        lambda stage: {
            "issueId": a_busy_issue(stage),
            "agentId": stage.an_agent(templateMarkdown="# Goal"),
            "mode": "RESEARCH",
        },
    ),
    sample(
        "issues.assign",
        lambda stage: {
            "issueId": an_issue(stage),
            "profileKey": _profile_key(stage, stage.acting_agent),
        },
        variant="to itself",
        as_agent=True,
    ),
    sample(
        "issues.reassign",
        lambda stage: {
            "issueId": a_busy_issue(stage),
            "toProfileKey": _profile_key(stage, stage.an_agent(templateMarkdown="# Goal")),
            "rationale": "The work is done and needs a second pair of eyes.",
        },
    ),
    sample("issues.assigned", lambda stage: _assigned(stage)),
    sample(
        "issues.assigned",
        lambda stage: {"profileKey": _profile_key(stage, stage.an_agent()), "includeDone": True},
        variant="by profile key",
    ),
    sample("issues.watch", lambda stage: {"issueId": an_issue(stage)}, as_agent=True),
    sample("issues.unwatch", lambda stage: {"issueId": an_issue(stage)}),
    sample("issues.listWatchers", _watchers),
    sample("issues.listWatching", lambda stage: _watched(stage, times=2)),
)


def _unqueued(stage: Stage) -> str:
    issue_id = an_issue(stage)
    stage.call("issues.setQueued", {"id": issue_id, "queued": False})
    stage.give_without_a_run(issue_id)
    return issue_id


def _to_dispatch(stage: Stage) -> str:
    """Not queued yet; auto-dispatch has somebody for it."""
    stage.an_agent_for_the_queue()
    return str(stage.call("issues.create", {"title": "Fix it", "projectId": stage.a_project()})["id"])


def _assigned(stage: Stage) -> Arguments:
    agent_id, project_id = stage.an_agent(), stage.a_project()
    for _ in range(2):
        _an_issue_of(stage, agent_id, projectId=project_id)
    return {"agentId": agent_id, "projectId": project_id, "limit": 1}


ON_ISSUE: dict[str, Prepare] = {
    "issues.create": lambda stage, issue_id: {"title": "Another one"},
    "issues.update": lambda stage, issue_id: {"id": issue_id, "title": "Another title"},
    "issues.setLabels": lambda stage, issue_id: {"issueId": issue_id, "add": [stage.a_label()]},
    "issues.queue": lambda stage, issue_id: {"id": issue_id},
    "issues.setQueued": lambda stage, issue_id: {"id": issue_id, "queued": True},
    "issues.transition": lambda stage, issue_id: {"id": issue_id, "statusId": a_status(stage, "DONE")},
    "issues.bulkTransition": lambda stage, issue_id: {
        "ids": [issue_id],
        "statusId": a_status(stage, "IN_PROGRESS"),
    },
    "issues.claim": lambda stage, issue_id: {"issueId": issue_id},
    "issues.release": lambda stage, issue_id: {"id": issue_id},
    "issues.assign": lambda stage, issue_id: {"issueId": issue_id, "agentId": stage.an_agent()},
    "issues.reassign": lambda stage, issue_id: {
        "issueId": issue_id,
        "toProfileKey": _profile_key(stage, stage.an_agent()),
        "rationale": "Somebody else should look at it.",
    },
}
