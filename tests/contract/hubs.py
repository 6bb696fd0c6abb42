"""A GitHub for the stage of a call: one for each world, on this machine."""

import atexit
from secrets import token_hex
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from forge.testing.clock import NOON
from forge.testing.github import FakeGitHub
from forge.testing.github_repository import FakeRepository
from forge.testing.world import World
from tests.contract.stage import Stage

HOST = "github.test"

_EARLIER = 99
"""So that no number there is one of an issue here."""

_running: "WeakKeyDictionary[World, FakeGitHub]" = WeakKeyDictionary()


class Hub(NamedTuple):
    mapping_id: str
    full_name: str
    repository: FakeRepository

    def url(self, number: int, kind: str = "issues") -> str:
        return f"https://github.com/{self.full_name}/{kind}/{number}"


def a_hub(stage: Stage, **config: Any) -> Hub:
    """A connected repository, whose mapping is set as given."""
    github = _github(stage.world)
    stage.call("workspaces.update", {"webhookAllowedHosts": [HOST]})
    secret = f"forge/github/{stage.workspace.id}/{token_hex(8)}"
    store = stage.world.services.store
    store.secrets.client.create_secret(Name=secret, SecretString=github.token)
    number = len(stage.call("github.listMappings", {})["data"]) + 1
    name = f"{stage.workspace.slug}/hub{number}"
    order = {
        "fullName": name,
        "provider": "github",
        "connection": {"tokenSecretArn": secret, "baseUrl": f"http://{HOST}"},
        "config": config,
    }
    made = stage.call("repositories.register", order)
    repository = github.add_repository(name, web="https://github.com")
    for _ in range(_EARLIER):
        repository.add_issue("An earlier one")
    return Hub(made["id"], name, repository)


def _github(world: World) -> FakeGitHub:
    if world not in _running:
        github = FakeGitHub(now=lambda: NOON)
        github.__enter__()
        atexit.register(github.__exit__)
        world.web.hosts[HOST] = github.port
        _running[world] = github
    return _running[world]
