"""Calls of the backlog's tools."""

from collections.abc import Callable

from tests.contract.hubs import a_hub
from tests.contract.stage import Arguments, Prepare, Sample, Stage, sample

_CONFIRMED = "I understand this may cause conflicts"


def _an_issue(stage: Stage, repository: str, **more: object) -> dict[str, object]:
    given = {"title": "Login hangs on Safari", "priority": "high", "type": "bug", "repository": repository}
    made: dict[str, object] = stage.call("create_issue", {**given, **more})["issue"]
    return made


def _a_backlog(stage: Stage) -> str:
    """A repository with an issue."""
    repository = stage.a_repository()
    _an_issue(stage, repository)
    return repository


def _locked(stage: Stage, **more: object) -> Arguments:
    """An issue that the caller has locked, and that wakes an agent when something happens to it."""
    repository = stage.a_repository()
    issue = _an_issue(stage, repository)
    _by_the_caller(stage, "select_next_issue", {"repository": repository})
    stage.give_without_a_run(str(issue["id"]))
    return {"issueNumber": issue["number"], "repository": repository, **more}


def _by_the_caller(stage: Stage, tool: str, arguments: Arguments) -> None:
    """By the other door, whose rate is counted apart: the call itself is the first of its minute."""
    key = stage.calling_key or stage.world.owner_key(stage.workspace)
    assert not stage.world.call(tool, arguments, key=key)["isError"]


def _tested(stage: Stage) -> Arguments:
    """On its way to a pull request."""
    arguments = _locked(stage)
    skip = {"targetPhase": "commit", "skipJustification": "A small change.", "testsPassed": True}
    _by_the_caller(stage, "advance_workflow", {**arguments, **skip})
    return {**arguments, "targetPhase": "pr", "prTitle": "Mend the login", "prBody": "It works again."}


def _held_by_another(stage: Stage) -> Arguments:
    repository = stage.a_repository()
    issue = _an_issue(stage, repository)
    stage.call("select_next_issue", {"repository": repository})
    stage.give_without_a_run(str(issue["id"]))
    return {"issueNumber": issue["number"], "repository": repository, "confirmation": _CONFIRMED}


def _free(stage: Stage) -> Arguments:
    repository = stage.a_repository()
    issue = _an_issue(stage, repository)
    return {"issueNumber": issue["number"], "repository": repository, "confirmation": _CONFIRMED}


def _ones_own(stage: Stage) -> Arguments:
    """The owner's, who once claimed it; an agent has it as well, and hears of it."""
    repository, issue = _claimed_once(stage)
    stage.give_without_a_run(str(issue["id"]))
    return {"repository": repository}


def _lost(stage: Stage) -> Arguments:
    """Locked by the caller, until the sweep gave it back as nobody renewed that; an agent has it, too."""
    repository, issue = _claimed_once(stage)
    number = int(str(issue["number"]))
    _by_the_caller(stage, "select_next_issue", {"repository": repository})
    stage.give_back(number, repository=repository)
    # Somebody puts it back among what is only planned.
    stage.call("issues.transition", {"id": issue["id"], "statusId": "Todo"})
    stage.give_without_a_run(str(issue["id"]))
    return {"issueNumber": number, "repository": repository}


def _left(stage: Stage) -> Arguments:
    """Work in a branch whose lock ran out."""
    arguments = _locked(stage)
    skip = {"targetPhase": "implementation", "skipJustification": "A small change."}
    _by_the_caller(stage, "advance_workflow", {**arguments, **skip})
    stage.give_back(int(str(arguments["issueNumber"])), repository=str(arguments["repository"]))
    return {**arguments, "confirmation": _CONFIRMED}


def _claimed_once(stage: Stage) -> tuple[str, dict[str, object]]:
    repository = stage.a_repository()
    issue = _an_issue(stage, repository)
    stage.call("issues.claim", {"issueId": issue["id"]})
    stage.call("issues.release", {"id": issue["id"]})
    return repository, issue


def _on_github(stage: Stage) -> Arguments:
    """A backlog that is kept there, with an issue that is more urgent than the rest."""
    hub = a_hub(stage)
    number = hub.repository.add_issue("Login hangs on Safari", labels=["priority:high", "type:bug"])
    return {"issueNumber": number, "repository": hub.full_name}


def _selectable_on_github(stage: Stage) -> Arguments:
    return {"repository": _on_github(stage)["repository"]}


def _locked_on_github(stage: Stage) -> Arguments:
    arguments = _on_github(stage)
    _by_the_caller(stage, "select_next_issue", {"repository": arguments["repository"]})
    return arguments


def _lost_on_github(stage: Stage) -> Arguments:
    arguments = _locked_on_github(stage)
    stage.give_back(int(str(arguments["issueNumber"])), repository=str(arguments["repository"]))
    return arguments


def _tested_on_github(stage: Stage) -> Arguments:
    arguments = _locked_on_github(stage)
    skip = {"targetPhase": "commit", "skipJustification": "A small change.", "testsPassed": True}
    _by_the_caller(stage, "advance_workflow", {**arguments, **skip})
    return {**arguments, "targetPhase": "pr"}


def _imported(arguments: Arguments, stage: Stage) -> Arguments:
    """The same, of which there is an issue here as well."""
    given = {"repoFullName": arguments["repository"], "number": arguments["issueNumber"], "queue": True}
    stage.call("github.importIssue", given)
    return arguments


def _imported_and_free(stage: Stage) -> Arguments:
    return {"repository": _imported(_on_github(stage), stage)["repository"]}


def _imported_and_locked(stage: Stage) -> Arguments:
    arguments = _imported(_on_github(stage), stage)
    _by_the_caller(stage, "select_next_issue", {"repository": arguments["repository"]})
    return arguments


def _of_imported(tool: str, arguments: Callable[[Stage], Arguments]) -> Sample:
    return sample(tool, arguments, variant="of an imported issue", elsewhere=True)


def _on_github_too(tool: str, arguments: Callable[[Stage], Arguments]) -> Sample:
    return sample(tool, arguments, variant="on GitHub", elsewhere=True)


_ON_GITHUB = (
    _on_github_too("advance_workflow", _tested_on_github),
    _on_github_too(
        "create_issue",
        lambda stage: {
            "title": "Login hangs on Safari",
            "priority": "high",
            "type": "bug",
            "repository": a_hub(stage).full_name,
        },
    ),
    _on_github_too("force_claim", lambda stage: {**_on_github(stage), "confirmation": _CONFIRMED}),
    _on_github_too("release_lock", lambda stage: {**_locked_on_github(stage), "reason": "merged"}),
    _on_github_too("renew_lock", _lost_on_github),
    _on_github_too("select_next_issue", _selectable_on_github),
    _of_imported("advance_workflow", lambda stage: _imported(_tested_on_github(stage), stage)),
    _of_imported(
        "force_claim", lambda stage: {**_imported(_on_github(stage), stage), "confirmation": _CONFIRMED}
    ),
    _of_imported("release_lock", lambda stage: {**_imported_and_locked(stage), "reason": "abandoned"}),
    _of_imported("renew_lock", lambda stage: _imported(_lost_on_github(stage), stage)),
    _of_imported("select_next_issue", _imported_and_free),
)

SAMPLES = (
    sample("advance_workflow", _tested),
    sample(
        "create_issue",
        lambda stage: {
            "title": "Login hangs on Safari",
            "priority": "critical",
            "type": "bug",
            "context": "Half of our users have it.",
            "acceptanceCriteria": ["The login works on Safari."],
            "technicalNotes": "It began with the new cookie rules.",
            "repository": stage.a_repository(),
        },
    ),
    sample("force_claim", _held_by_another),
    sample("force_claim", _free, variant="of what nobody has"),
    sample("force_claim", _left, variant="of work that somebody left"),
    sample("get_workflow_status", lambda stage: _locked(stage)),
    sample(
        "list_backlog", lambda stage: {"repository": _a_backlog(stage), "includeTypes": ["bug"], "limit": 5}
    ),
    sample("release_lock", lambda stage: _locked(stage, reason="merged")),
    sample(
        "release_lock",
        lambda stage: {**_lost(stage), "reason": "abandoned"},
        variant="of what the sweep gave back",
    ),
    sample("renew_lock", lambda stage: _locked(stage)),
    sample("renew_lock", _lost, variant="of what the sweep gave back"),
    sample("select_next_issue", _ones_own, variant="of one's own"),
    sample("select_next_issue", lambda stage: {"repository": _a_backlog(stage), "excludeTypes": ["docs"]}),
    *_ON_GITHUB,
)


def _in_a_backlog(stage: Stage, issue_id: str) -> Arguments:
    """The issue, once it is in the backlog of some repository."""
    project_id = stage.a_project()
    name = stage.a_repository(projectId=project_id)
    stage.call("issues.update", {"id": issue_id, "projectId": project_id})
    return {"issueNumber": stage.call("issues.get", {"id": issue_id})["number"], "repository": name}


ON_ISSUE: dict[str, Prepare] = {
    "advance_workflow": lambda stage, issue_id: {
        **_in_a_backlog(stage, issue_id),
        "targetPhase": "research",
    },
    "create_issue": lambda stage, issue_id: {
        "title": "Look into it",
        "priority": "low",
        "type": "docs",
        "repository": stage.a_repository(),
    },
    "force_claim": lambda stage, issue_id: {
        **_in_a_backlog(stage, issue_id),
        "confirmation": _CONFIRMED,
    },
    "release_lock": lambda stage, issue_id: {**_in_a_backlog(stage, issue_id), "reason": "merged"},
    "renew_lock": lambda stage, issue_id: _in_a_backlog(stage, issue_id),
    "select_next_issue": lambda stage, issue_id: {"repository": _a_backlog(stage)},
}
