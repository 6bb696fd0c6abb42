"""Calls of the workspace's own tools: people, agents, keys, settings, projects."""

from forge.contract.terms import Scope
from forge.store.idempotency import MAX_INLINE
from forge.work.planning import planning_keys
from forge.work.workspaces.founding import setup_transaction
from tests.contract.stage import Arguments, Stage, sample

A_LONG_TEXT = "\N{MEMO}" * (MAX_INLINE // 4)
A_WEBHOOK_SECRET = "whsec-never-to-be-seen-again"


def _eventful(stage: Stage) -> tuple[str, str]:
    return "agent", stage.an_agent_with_history()


def _of_two_projects(stage: Stage, arguments: Arguments) -> Arguments:
    stage.a_project()
    stage.a_project()
    return arguments


def _an_initiative(stage: Stage) -> str:
    """Only its count, which is all that projects touch: no tool makes initiatives yet."""
    world, workspace_id, initiative_id = stage.world, stage.workspace.id, stage.world.ids("ini")
    tx = setup_transaction(world.services.store, workspace_id, now=world.clock(), new_id=world.ids)
    place = planning_keys.initiative_count(workspace_id, initiative_id)
    tx.adjust(place, add={"projects": 0}, must_exist=False)
    world.services.store.commit(tx)
    return initiative_id


SAMPLES = (
    sample("agents.archive", lambda stage: {"id": stage.an_agent()}),
    sample(
        "agents.create",
        lambda stage: {
            "profileKey": "planner",
            "name": "Planner",
            "capabilities": ["plans"],
            "webhookUrl": "https://planner.example.com/hook",
            "webhookSecret": A_WEBHOOK_SECRET,
            "templateMarkdown": "# Goal",
        },
    ),
    sample(
        "agents.create",
        lambda stage: {"profileKey": "writer", "name": "Writer", "templateMarkdown": A_LONG_TEXT},
        variant="with an answer that is kept apart",
    ),
    sample("agents.heartbeat", lambda stage: {"status": "BUSY"}),
    sample("agents.list", lambda stage: {"includeArchived": True}),
    sample("agents.me"),
    sample(
        "agents.update",
        lambda stage: {"id": stage.an_agent(), "maxConcurrent": 3, "webhookSecret": A_WEBHOOK_SECRET},
    ),
    sample(
        "catalog.call",
        lambda stage: {"name": "labels.create", "arguments": {"name": "called"}},
        reached_scopes=frozenset({Scope.ADMIN}),
    ),
    sample("catalog.describe", lambda stage: {"names": ["workspace.get", "labels_list"]}),
    sample("catalog.search", lambda stage: {"query": "who works here"}),
    sample("events.recent", lambda stage: {"limit": 1, "subjectType": _eventful(stage)[0]}),
    sample(
        "events.recent",
        lambda stage: dict(zip(("subjectType", "subjectId", "limit"), (*_eventful(stage), 1), strict=True)),
        variant="of one agent",
    ),
    sample(
        "keys.create",
        lambda stage: {
            "name": "laptop",
            "scopes": ["READ_ISSUES"],
            "userId": stage.a_member(),
            "labelIds": [stage.a_label()],
            "projectIds": [stage.a_project()],
            "expiresInDays": 30,
        },
    ),
    sample(
        "keys.create",
        lambda stage: {
            "name": "runner",
            "kind": "AGENT",
            "scopes": ["READ_ISSUES", "READ_USERS"],
            "linkedAgentId": stage.an_agent(),
        },
        variant="for an agent",
    ),
    sample("keys.list", lambda stage: {"limit": 1}),
    sample("keys.revoke", lambda stage: {"id": stage.a_key(stage.a_member())}),
    sample("labels.create", lambda stage: {"name": "Bug", "color": "#DC2626"}),
    sample("labels.delete", lambda stage: {"id": stage.a_label()}),
    sample("labels.list"),
    sample("labels.update", lambda stage: {"id": stage.a_label(), "name": "Defect", "color": "#dc2626"}),
    sample(
        "members.add",
        lambda stage: {
            "email": "ada@example.com",
            "name": "Ada",
            "handle": "ada",
            "role": "ADMIN",
        },
    ),
    sample("members.list"),
    sample("members.remove", lambda stage: {"userId": stage.a_member(role="OWNER")}),
    sample("members.setRole", lambda stage: {"userId": stage.a_member(role="OWNER"), "role": "GUEST"}),
    sample("members.update", lambda stage: {"userId": stage.a_member(), "handle": "lovelace"}),
    sample("projects.archive", lambda stage: {"id": stage.a_project(_an_initiative(stage))}),
    sample(
        "projects.create",
        lambda stage: {"key": "SITE", "name": "Website", "initiativeId": _an_initiative(stage)},
    ),
    sample("projects.list", lambda stage: _of_two_projects(stage, {"limit": 1, "includeArchived": True})),
    sample(
        "projects.update",
        lambda stage: {"id": stage.a_project(_an_initiative(stage)), "initiativeId": _an_initiative(stage)},
    ),
    sample("statuses.create", lambda stage: {"name": "Triage", "category": "BACKLOG", "isDefault": True}),
    sample("statuses.list", lambda stage: {"category": "TODO"}),
    sample("statuses.update", lambda stage: {"id": stage.a_status(), "name": "Blocked", "isDefault": True}),
    sample("tokens.create", lambda stage: {"keyId": stage.a_key()}),
    sample("workspace.get"),
    sample("workspaces.create", lambda stage: {"slug": "acme", "key": "ACME", "name": "Acme"}),
    sample("workspaces.get"),
    sample(
        "workspaces.update",
        lambda stage: {
            "name": "Renamed",
            "startedStatusId": stage.a_status("IN_PROGRESS"),
            "reviewStatusId": stage.a_status("IN_REVIEW"),
        },
    ),
)
