"""A registered repository is asked where its workspace says, with the workspace's own token."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from forge.github.failures import GitHubRefused
from forge.outbound.outbound import Outbound
from forge.store.connections import Connections
from forge.testing.github import FakeGitHub
from forge.work.backlog import repositories
from forge.work.backlog.github.connections import connect
from forge.work.backlog.repositories import Connection, Provider, RepositoryItem
from forge.work.workspace.workers import Worker, worker_of
from tests.workshop.office import Office

HOST = "github.test"
AT_HOME = {"FORGE_GITHUB_TOKEN": "ghp_of_a_test"}


@pytest.fixture
def github(office: Office) -> Iterator[FakeGitHub]:
    """At a name of the workspace's own, too, that its operators excepted."""
    office.call("workspaces.update", {"webhookAllowedHosts": [HOST]})
    with FakeGitHub(prefix="/api/v3") as running:
        office.world.web.hosts[HOST] = running.port
        running.add_repository("acme/app").add_issue("Ship")
        yield running


def a_reach(office: Office, *, own_machine: bool = False) -> Worker:
    services = office.world.services
    outbound = Outbound() if own_machine else services.outbound
    return replace(worker_of(services, "tests"), outbound=outbound, own_machine=own_machine)


def registered(office: Office, **connection: str) -> RepositoryItem:
    order: dict[str, Any] = {"fullName": "acme/app", "provider": "github"}
    made = office.call("repositories.register", order | {"connection": connection})
    return repositories.get(office.world.services.store.table, office.workspace.id, made["id"])


def unregistered(office: Office, connection: Connection | None) -> RepositoryItem:
    now = office.world.clock()
    return RepositoryItem(
        workspace_id=office.workspace.id,
        id="repo_1",
        full_name="acme/app",
        provider=Provider.GITHUB,
        connection=connection,
        secret="whsec_1",
        created_at=now,
        updated_at=now,
    )


def keep_token(office: Office, connections: Connections, token: str) -> str:
    name = f"forge/github/{office.workspace.id}/token"
    return str(connections.secrets().create_secret(Name=name, SecretString=token)["ARN"])


def test_it_is_asked_at_its_base_with_the_token_of_its_secret(
    office: Office, github: FakeGitHub, connections: Connections
) -> None:
    arn = keep_token(office, connections, github.token)
    repository = registered(office, tokenSecretArn=arn, baseUrl=f"http://{HOST}/api/v3")

    found = connect(a_reach(office), repository).issue(1)

    assert found.title == "Ship"
    assert github.requests[0].token == github.token


def test_nothing_is_asked_and_no_secret_read_before_it_is_needed(office: Office, github: FakeGitHub) -> None:
    gone = f"forge/github/{office.workspace.id}/gone"
    repository = registered(office, tokenSecretArn=gone, baseUrl=f"http://{HOST}/api/v3")

    connected = connect(a_reach(office), repository)

    assert (connected.full_name, github.requests) == ("acme/app", [])
    with pytest.raises(GitHubRefused):
        connected.issue(1)


def test_a_private_host_that_nobody_excepts_any_more_is_not_asked(
    office: Office, github: FakeGitHub, connections: Connections
) -> None:
    arn = keep_token(office, connections, github.token)
    repository = unregistered(office, Connection(token_secret_arn=arn, base_url=github.base_url))

    with pytest.raises(GitHubRefused):
        connect(a_reach(office), repository).issue(1)

    assert github.requests == []


def test_a_stored_connection_with_another_tenant_s_secret_is_refused(
    office: Office, other_office: Office, github: FakeGitHub, connections: Connections
) -> None:
    theirs = keep_token(other_office, connections, github.token)
    base = f"http://{HOST}/api/v3"
    repository = unregistered(office, Connection(token_secret_arn=theirs, base_url=base))

    with pytest.raises(GitHubRefused):
        connect(a_reach(office), repository).issue(1)

    assert github.requests == []


def test_on_one_s_own_machine_the_environment_s_token_will_do(office: Office, github: FakeGitHub) -> None:
    repository = unregistered(office, Connection(base_url=github.base_url))

    found = connect(a_reach(office, own_machine=True), repository, AT_HOME).issue(1)

    assert found.title == "Ship"


def test_elsewhere_it_is_nobody_s(office: Office, github: FakeGitHub) -> None:
    repository = registered(office, baseUrl=f"http://{HOST}/api/v3")

    with pytest.raises(GitHubRefused) as caught:
        connect(a_reach(office), repository, AT_HOME).issue(1)

    assert f"forge/github/{office.workspace.id}/token" in caught.value.message
    assert github.requests == []


def test_without_a_connection_it_is_the_public_github(office: Office) -> None:
    """Whose name leads to a private address in this test, so that nothing leaves the machine."""
    asked: list[str] = []

    def resolve(name: str, port: int) -> list[str]:
        asked.append(name)
        return ["10.0.0.1"]

    reach = replace(a_reach(office, own_machine=True), outbound=Outbound(resolve=resolve))

    with pytest.raises(GitHubRefused):
        connect(reach, unregistered(office, None), AT_HOME).issue(1)

    assert asked == ["api.github.com"]
