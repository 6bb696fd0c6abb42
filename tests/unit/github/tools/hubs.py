"""A repository on a GitHub of the test's own, connected to an office."""

from secrets import token_hex
from typing import Any, NamedTuple

from forge.testing.github import FakeGitHub
from forge.testing.github_repository import FakeRepository
from forge.work.backlog import repositories
from tests.workshop.office import Body, Office

HOST = "github.test"
NAME = "acme/app"

WEB = "https://github.com"


class Hub(NamedTuple):
    office: Office
    github: FakeGitHub
    app: FakeRepository
    mapping: Body

    @property
    def mapping_id(self) -> str:
        return str(self.mapping["id"])

    def configure(self, **config: Any) -> None:
        self.office.call("repositories.update", {"id": self.mapping_id, "config": config})

    def keep_config(self, **config: Any) -> None:
        """What was true once: as it is stored, without a look at what is there."""
        store, workspace_id = self.office.world.services.store, self.office.workspace.id
        found = repositories.get(store.table, workspace_id, self.mapping_id)
        tx = self.office.begin()
        tx.replace(found.changed(config=config))
        self.office.commit(tx)

    def an_issue(self, title: str = "Fix the login", **more: Any) -> str:
        return str(self.office.call("issues.create", {"title": title, **more})["id"])

    def link(self, issue_id: str, number: int, kind: str = "RELATES_TO", *, what: str = "issues") -> Body:
        url = f"{WEB}/{NAME}/{what}/{number}"
        return self.office.call("github.link", {"issueId": issue_id, "url": url, "kind": kind})

    def import_issue(self, number: int, **more: Any) -> Body:
        return self.office.call("github.importIssue", {"repoFullName": NAME, "number": number, **more})

    def status_id(self, name: str) -> str:
        found = self.office.rows("statuses.list")
        return next(str(one["id"]) for one in found if one["name"] == name)

    def status_of(self, issue_id: str) -> str:
        return str(self.office.call("issues.get", {"id": issue_id})["status"]["name"])

    def asked(self) -> int:
        return len(self.github.requests)


def connected(office: Office, github: FakeGitHub, **more: Any) -> Hub:
    """By a host that its operators except, with a token in a secret of its own."""
    office.call("workspaces.update", {"webhookAllowedHosts": [HOST]})
    office.world.web.hosts[HOST] = github.port
    secret = f"forge/github/{office.workspace.id}/{token_hex(8)}"
    office.world.services.store.secrets.client.create_secret(Name=secret, SecretString=github.token)
    connection = {"tokenSecretArn": secret, "baseUrl": f"http://{HOST}"}
    order = {"fullName": NAME, "provider": "github", "connection": connection, **more}
    app = github.add_repository(NAME, web=WEB)
    return Hub(office, github, app, office.call("repositories.register", order))
