"""Calls of the operators' tools."""

from forge.contract.terms import Scope
from forge.store.idempotency import MAX_INLINE
from tests.contract.samples.attachments import attached
from tests.contract.samples.chat import a_thread
from tests.contract.samples.issues import an_idle_issue
from tests.contract.stage import ALL_SCOPES, Arguments, Stage, sample

A_LONG_TEXT = "\N{MEMO}" * (MAX_INLINE // 4)
A_WEBHOOK_SECRET = "whsec-never-to-be-seen-again"


def _with_a_rule(stage: Stage) -> Arguments:
    stage.a_dispatch_rule()
    return {}


def _connected_by_names(stage: Stage) -> Arguments:
    stage.call("labels.create", {"name": "from github"})
    stage.call("projects.create", {"key": "HUB", "name": "The hub"})
    stage.call("agents.create", {"profileKey": "importer", "name": "Importer"})
    config = {
        "defaultProjectId": "The hub",
        "defaultLabelIds": ["from github"],
        "assignedAgentId": "importer",
        "claimedById": "me",
        "statusRules": {"issueClosedStatusId": "Done"},
    }
    return {"fullName": "demo/hub", "provider": "github", "config": config}


def _with_a_repository(stage: Stage) -> Arguments:
    stage.a_repository()
    return {}


def _after_an_export(stage: Stage) -> Arguments:
    stage.an_export()
    return {}


def _with_two_files(stage: Stage) -> Arguments:
    issue_id = an_idle_issue(stage)
    for _ in range(2):
        attached(stage, issue_id)
    return {"limit": 1}


def _while_somebody_is_erased(stage: Stage) -> Arguments:
    user_id = stage.a_member()
    stage.call("members.erase", {"userId": user_id})
    return {"userId": user_id}


def _while_it_is_deleted(stage: Stage) -> Arguments:
    stage.a_deletion()
    return {}


def _with_an_issue(stage: Stage) -> Arguments:
    issue = stage.call("issues.create", {"title": "Login hangs on Safari"})
    return {"issueNumber": issue["number"], "from": "2026-01-01T00:00:00Z"}


def _that_has_made_another(stage: Stage) -> Arguments:
    """For a run that is under way."""
    order = {"kind": "AGENT", "linkedAgentId": stage.acting_agent, "scopes": ["READ_ISSUES", "WRITE_ISSUES"]}
    made = stage.call("keys.create", {"name": "of a worker", **order})
    issue_id = stage.call("issues.create", {"title": "Its own"})["id"]
    run_id = stage.call("issues.claim", {"issueId": issue_id}, key=made["rawKey"])["runId"]
    stage.call("agents.sessionKey", {"runId": run_id}, key=made["rawKey"])
    return {"id": made["id"]}


SAMPLES = (
    sample("agents.archive", lambda stage: {"id": stage.an_agent(runtimeId=stage.a_runtime())}),
    sample(
        "agents.create",
        lambda stage: {
            "profileKey": "planner",
            "name": "Planner",
            "capabilities": ["plans"],
            "webhookUrl": "https://planner.example.com/hook",
            "webhookSecret": A_WEBHOOK_SECRET,
            "templateMarkdown": "# Goal",
            "runtimeId": stage.a_runtime(),
        },
    ),
    sample(
        "agents.create",
        lambda stage: {"profileKey": "writer", "name": "Writer", "templateMarkdown": A_LONG_TEXT},
        variant="with an answer that is kept apart",
    ),
    sample(
        "agents.update",
        lambda stage: {
            "id": stage.an_agent(runtimeId=stage.a_runtime()),
            "maxConcurrent": 3,
            "webhookSecret": A_WEBHOOK_SECRET,
            "runtimeId": stage.a_runtime(),
        },
    ),
    sample(
        "agents.rotateSecret",
        lambda stage: {"id": stage.an_agent(), "secret": A_WEBHOOK_SECRET, "graceHours": 0},
    ),
    sample(
        "audit.list", lambda stage: {"entity": "agent", "entityId": stage.an_agent_with_history(), "limit": 1}
    ),
    sample("audit.list", _with_an_issue, variant="about an issue"),
    sample(
        "dispatchRules.create",
        lambda stage: {
            "name": "Urgent bugs of the site",
            "order": 1,
            "priority": "URGENT",
            "labelId": stage.a_label(),
            "projectId": stage.a_project(),
            "targetAgentId": stage.an_agent(),
            "enabled": True,
        },
    ),
    sample("dispatchRules.delete", lambda stage: {"id": stage.a_dispatch_rule()}),
    sample("dispatchRules.dryRun", lambda stage: {**_with_a_rule(stage), "issueId": an_idle_issue(stage)}),
    sample("dispatchRules.list", lambda stage: _with_a_rule(stage)),
    sample(
        "dispatchRules.update",
        lambda stage: {
            "id": stage.a_dispatch_rule(),
            "labelId": stage.a_label(),
            "projectId": stage.a_project(),
            "targetAgentId": stage.an_agent(),
            "clear": ["priority"],
        },
    ),
    sample(
        "keys.create",
        lambda stage: {
            "name": "laptop",
            "scopes": ["READ_ISSUES"],
            "userId": stage.a_member(),
            "labelIds": [stage.a_label()],
            "projectIds": [stage.a_project()],
            "initiativeIds": [stage.an_initiative()],
            "expiresInDays": 30,
        },
        passed_on={Scope.READ_ISSUES},
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
        passed_on={Scope.READ_ISSUES, Scope.READ_USERS},
    ),
    sample("export", _after_an_export),
    sample("export", variant="of a workspace that never was"),
    sample("exports.files", _with_two_files),
    sample("exports.get", lambda stage: {"exportId": stage.an_export()}),
    sample("keys.list", lambda stage: {"limit": 1}),
    sample("keys.update", lambda stage: {"id": stage.a_key(stage.a_member()), "ratePerMinute": 60}),
    sample("keys.revoke", lambda stage: {"id": stage.a_key(stage.a_member())}),
    sample("keys.revoke", _that_has_made_another, variant="of an agent at work"),
    sample(
        "members.add",
        lambda stage: {
            "email": "ada@example.com",
            "name": "Ada",
            "handle": "ada",
            "role": "ADMIN",
        },
    ),
    sample("erasures.get", _while_somebody_is_erased),
    sample("members.erase", lambda stage: {"userId": stage.a_member(role="OWNER")}),
    sample("members.list"),
    sample("members.remove", lambda stage: {"userId": stage.a_member(role="OWNER")}),
    sample("members.setRole", lambda stage: {"userId": stage.a_member(role="OWNER"), "role": "GUEST"}),
    sample("members.update", lambda stage: {"userId": stage.a_member(), "handle": "lovelace"}),
    sample(
        "repositories.register",
        lambda stage: {
            "fullName": "demo/app",
            "provider": "native",
            "default": True,
            "projectId": stage.a_project(),
        },
    ),
    sample(
        "repositories.register",
        lambda stage: {"fullName": "demo/site", "provider": "native"},
        variant="with a project of its own",
    ),
    sample("repositories.register", _connected_by_names, variant="with what it takes over, by names"),
    sample("repositories.list", _with_a_repository),
    sample("repositories.remove", lambda stage: {"fullName": stage.a_repository(default=True)}),
    sample(
        "repositories.update",
        lambda stage: {"id": stage.a_repository_id(), "default": True, "projectId": stage.a_project()},
    ),
    sample("statuses.create", lambda stage: {"name": "Triage", "category": "BACKLOG", "isDefault": True}),
    sample("statuses.update", lambda stage: {"id": stage.a_status(), "name": "Blocked", "isDefault": True}),
    sample(
        "threads.create",
        lambda stage: {"agentId": stage.an_agent(), "userId": stage.a_member(), "title": "Release"},
    ),
    sample("threads.list", lambda stage: {"limit": len({a_thread(stage), a_thread(stage)}) - 1}),
    sample("threads.get", lambda stage: {"threadId": a_thread(stage), "limit": 1}),
    sample(
        "threads.post",
        lambda stage: {
            "threadId": a_thread(stage),
            "body": "And when?",
            "contextSnapshot": {"issueId": "DEMO-1", "page": "board"},
        },
    ),
    sample("timers.list", lambda stage: {"limit": len({stage.a_dead_timer(), stage.a_dead_timer()}) - 1}),
    sample("timers.retry", lambda stage: {"id": stage.a_dead_timer()}),
    sample("tokens.create", lambda stage: {"keyId": stage.a_key()}, passed_on={Scope.READ_ISSUES}),
    sample(
        "webhookDeliveries.list",
        lambda stage: {
            "status": "DEAD_LETTER",
            "limit": len({stage.a_dead_letter(), stage.a_dead_letter()}) - 1,
        },
    ),
    sample("webhookDeliveries.retry", lambda stage: {"id": stage.a_dead_letter()}),
    sample(
        "webhooks.create",
        lambda stage: {
            "url": "https://ci.example.com/forge",
            "secret": A_WEBHOOK_SECRET,
            "events": ["ISSUE_CREATED", "ISSUE_STATUS_CHANGED"],
        },
    ),
    sample(
        "webhooks.rotateSecret",
        lambda stage: {"id": stage.a_webhook(), "secret": A_WEBHOOK_SECRET, "graceHours": 2},
    ),
    sample("webhooks.delete", lambda stage: {"id": stage.a_webhook()}),
    sample("webhooks.list", lambda stage: {"limit": len({stage.a_webhook(), stage.a_webhook()}) - 1}),
    sample(
        "workspaces.create",
        lambda stage: {"slug": "acme", "key": "ACME", "name": "Acme"},
        passed_on=ALL_SCOPES,
    ),
    sample("workspaces.delete", lambda stage: {"confirm": stage.workspace.slug, "graceDays": 7}),
    sample("workspaces.get"),
    sample("workspaces.restore", _while_it_is_deleted),
    sample(
        "workspaces.update",
        lambda stage: {
            "name": "Renamed",
            "startedStatusId": stage.a_status("IN_PROGRESS"),
            "reviewStatusId": stage.a_status("IN_REVIEW"),
            "assignmentSlaMinutes": 60,
            "callsPerMinute": 10_000,
        },
    ),
)
