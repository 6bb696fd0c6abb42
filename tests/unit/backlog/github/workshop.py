"""A workshop: an office whose default repository is on GitHub, and who runs its errands."""

from typing import Any

from forge.clock import new_id
from forge.store.connections import Connections
from forge.testing.github import FakeGitHub
from forge.work.background import errand_runner
from forge.work.backlog.trackers import errands
from forge.work.record.log.rows import LogItem
from forge.work.workspace.workers import Worker, worker_of
from tests.workshop.backlog import Session
from tests.workshop.office import Body, Office

HOST = "github.test"
NAME = "acme/app"


class Workshop:
    def __init__(self, office: Office, github: FakeGitHub, connections: Connections) -> None:
        self.office, self.github = office, github
        office.call("workspaces.update", {"webhookAllowedHosts": [HOST]})
        office.world.web.hosts[HOST] = github.port
        self.app = github.add_repository(NAME)
        # The emulator's secrets outlast the store.
        secret = f"forge/github/{office.workspace.id}/{new_id('tok')}"
        connections.secrets().create_secret(Name=secret, SecretString=github.token)
        connection = {"tokenSecretArn": secret, "baseUrl": f"http://{HOST}"}
        order: Body = {"fullName": NAME, "provider": "github", "default": True, "connection": connection}
        self.id = str(office.call("repositories.register", order)["id"])

    @property
    def reach(self) -> Worker:
        return worker_of(self.office.world.services, "errands")

    def session(self, name: str = "a") -> Session:
        return Session(self.office, name)

    def an_issue(self, title: str = "Login hangs", *labels: str, **more: Any) -> int:
        return self.app.add_issue(title, labels=labels or ("priority:high", "type:bug"), **more)

    def errands(self) -> list[errands.ErrandItem]:
        table = self.office.world.services.store.table
        return errands.of_repository(table, self.office.workspace.id, self.id)

    def run_errands(self) -> int:
        """What messages about them bring about."""
        waiting = {one.number for one in self.errands()}
        return sum(
            errand_runner.run(self.reach, self.office.workspace.id, self.id, number)
            for number in sorted(waiting)
        )

    def asked(self, method: str, ending: str) -> list[object]:
        """The bodies of requests to GitHub like these."""
        found = [one for one in self.github.requests if one.method == method and one.path.endswith(ending)]
        return [one.body for one in found]

    def log_of_errands(self) -> list[LogItem]:
        return [one for one in self.office.log() if one.subject_type == "errand"]
