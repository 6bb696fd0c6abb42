"""A backlog on GitHub, in a deployed stack: a function asks, a secret opens, and a worker tells."""

from functools import partial

from forge.testing.github import FakeGitHub
from forge.testing.github_repository import FakeRepository
from tests.e2e.requiring import expect, require
from tests.e2e.teams import Team

_NAME = "acme/app"


def work_on_github_is_told_there(teams: list[Team]) -> None:
    """In both modes: what asks GitHub is a function of its own, or the router."""
    for team in teams:
        with FakeGitHub() as github:
            _work(team, github, github.add_repository(_NAME))


def _work(team: Team, github: FakeGitHub, app: FakeRepository) -> None:
    _register(team, github)
    order = {"title": "Login hangs", "priority": "high", "type": "bug", "repository": _NAME}
    made = expect(team.client.rest("create_issue", order), 200)
    require(made["success"], made)
    number = made["issue"]["number"]
    taken = expect(team.client.rest("select_next_issue", {"repository": _NAME}), 200)
    require(taken["success"] and taken["issue"]["number"] == number, taken)
    is_labelled = partial(_has_label, app, number)
    require(team.eventually(is_labelled), f"{app.labels_of(number)} for {team.name}")


def _register(team: Team, github: FakeGitHub) -> None:
    workspace = expect(team.client.rest("workspace.get"), 200)
    secret = f"forge/{team.stack.name}/github/{workspace['id']}/token"
    team.connections.secrets().create_secret(Name=secret, SecretString=github.token)
    hosts = {"webhookAllowedHosts": ["127.0.0.1"]}
    expect(team.client.rest("workspaces.update", hosts, surface="admin"), 200)
    connection = {"tokenSecretArn": secret, "baseUrl": github.base_url}
    order = {"fullName": _NAME, "provider": "github", "connection": connection}
    expect(team.client.rest("repositories.register", order, surface="admin"), 200)


def _has_label(app: FakeRepository, number: int) -> bool:
    return "status:in-progress" in app.labels_of(number)


CHECKS = (work_on_github_is_told_there,)
