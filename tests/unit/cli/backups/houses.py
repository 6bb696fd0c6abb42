"""A deployment with a workspace in which something of most kinds happened, and another that has lost it."""

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from forge.cli.backups import imports
from forge.cli.backups.files import BackupFile
from forge.cli.backups.imports import ImportOutcome
from forge.store.connections import Connections
from forge.store.provision import provision
from forge.store.store import Store
from forge.testing.instruments import watched
from forge.testing.world import World
from forge.work.background import export_files
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.orders import ExportItem
from forge.work.record.texts import MAX_INLINE
from forge.work.workspace.workers import worker_of
from tests.contract.samples.attachments import attached
from tests.contract.stage import Stage
from tests.workshop.interference import Interference

A_LONG_STORY = "It hangs. " + "\N{DRAGON}" * (MAX_INLINE // 4)
ThingT = TypeVar("ThingT")
_numbers = count(1)


def in_silence(text: str, things: Iterable[ThingT], /, total: int | None = None) -> Iterable[ThingT]:
    """For who shows how far it is: nobody looks."""
    return things


class House(Stage):
    """A deployment with a table of its own, and a stage in one workspace of it."""

    def __init__(self, connections: Connections) -> None:
        self.interference = Interference()
        number = next(_numbers)
        self.plain = provision(connections, f"forge-house-{number}")
        world = World(store=watched(self.plain, self.interference))
        world.ids.go_on_at(number * 1_000)
        super().__init__(world, world.add_workspace(f"acme-{number}"))

    @property
    def store(self) -> Store:
        return self.world.services.store

    def furnish(self) -> str:
        """The id of an issue that is queued, blocked, claimed, commented, watched and has a file."""
        self.call("workspaces.update", {"autoDispatchMode": "MANUAL_ONLY"})
        for make in (self.a_member, self.a_dispatch_rule, self.a_crew, self.a_cycle, self.a_webhook):
            make()
        label, project = self.a_label(), self.a_project(self.an_initiative())
        agent = self.an_agent(webhookUrl="https://a.example.com", webhookSecret="x" * 20)
        order = {"title": "Login hangs on Safari", "description": A_LONG_STORY, "projectId": project}
        first = self.call("issues.create", {**order, "labelIds": [label], "queue": True})
        second = self.call("issues.create", {"title": "Ship the release", "queue": True})
        blocks = {"fromIssueId": first["id"], "toIssueId": second["id"], "kind": "BLOCKS"}
        self.call("relations.add", blocks)
        self.call("comments.create", {"issueId": first["id"], "body": "On \N{SAFETY VEST} Safari, too."})
        self.call("issues.watch", {"issueId": first["id"]})
        self.call("notes.create", {"title": "Mine", "body": "A note."})
        self.call("artifacts.create", {"title": "Design", "type": "SPEC", "body": A_LONG_STORY})
        self.call("repositories.register", {"fullName": "acme/app", "provider": "native"})
        self.call("repositories.register", {"fullName": "acme/hub", "provider": "github"})
        task = {"title": "A task", "body": "Do.", "type": "bug", "priority": "high"}
        self.call("create_issue", {"repository": "acme/app", **task})
        attached(self, first["id"])
        self.call("issues.claim", {"issueId": first["id"]}, key=self.agent_key(agent))
        return str(first["id"])

    def exported(self, workspace_id: str = "") -> str:
        """Everything of a workspace, which is this house's own unless another is named."""
        order = ExportItem(
            workspace_id=workspace_id or self.workspace.id,
            id=self.world.ids("exp"),
            created_at=self.world.clock(),
        )
        tx = worker_of(self.world.services, "exports").begin(order.workspace_id)
        orders.add(tx, order, after=orders.find_latest(self.store.table, order.workspace_id))
        self.store.commit(tx)
        message = json.dumps({"workspaceId": order.workspace_id, "exportId": order.id})
        assert export_files.consume(worker_of(self.world.services, "exports"), message)
        done = orders.find(self.store.table, order.workspace_id, order.id)
        assert done is not None
        return "".join(map(self.store.blobs.get_text, done.blobs))

    def take_in(self, path: Path, *, is_dry: bool = False, **how: Any) -> ImportOutcome:
        names = {name: how.pop(name, None) for name in ("slug", "key_prefix")}
        backup = BackupFile(path, self.store.blobs, **names)
        files = how.pop("files", None)
        return imports.run(
            self.store,
            backup,
            files=files,
            is_dry=is_dry,
            show=lambda text, things, total=None: things,
            pause=lambda seconds: None,
        )

    def rows(self) -> dict[tuple[str, str], dict[str, Any]]:
        """All of its table, of all workspaces."""
        found = self.plain.table.client.ask("Scan", {"TableName": self.plain.table.name})
        return {(row["pk"]["S"], row["sk"]["S"]): row for row in found["Items"]}
