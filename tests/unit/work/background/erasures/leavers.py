"""Somebody with a life in a workspace, whose words are like nobody else's, and whoever erases them."""

import json
from typing import Any

from forge.store.store import Store
from forge.testing.world import World
from forge.work.background.erasures import carrying_out
from forge.work.record.texts import MAX_INLINE
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.workers import Worker, worker_of
from tests.contract.dumps import Dump, dump
from tests.workshop.office import Colleague, Office

EMAIL, NAME, HANDLE = "quillfeather@private.example", "Quillfeather Ashgrove", "quillf"
SECRET_WORDS = "xylophonic"
"""In all that they keep for themselves."""
LONG = SECRET_WORDS + "\N{MEMO}" * (MAX_INLINE // 4)


class Leaver:
    def __init__(self, office: Office) -> None:
        self.office = office
        member = office.call(
            "members.add",
            {"email": EMAIL, "name": NAME, "handle": HANDLE, "timezone": "Europe/Lisbon"},
            idempotency_key="once",
        )
        key = office.a_key(userId=member["id"], name=f"laptop of {NAME}")["rawKey"]
        self.colleague = Colleague(member["id"], key)
        self.id = self.colleague.id

    def call(self, tool: str, arguments: dict[str, Any] | None = None, **how: str) -> dict[str, Any]:
        return self.office.call(tool, arguments, key=self.colleague.key, **how)

    def live(self) -> str:
        """A bit of everything that leaves something of them; the id of an issue of theirs."""
        issue = self.call("issues.create", {"title": "Login hangs"})
        self.call("issues.claim", {"issueId": issue["id"]})
        self.call("comments.create", {"issueId": issue["id"], "body": "On Safari."})
        self.call("issues.watch", {"id": issue["id"]})
        self.call("pins.set", {"issueIds": [issue["id"]]})
        for body in (SECRET_WORDS, LONG):
            self.call(
                "notes.create", {"body": body, "title": SECRET_WORDS}, idempotency_key=f"note{len(body)}"
            )
        journal = self.call("notes.todayJournal")
        self.call("notes.update", {"id": journal["id"], "body": SECRET_WORDS})
        for scope in ("workspace", "global"):
            self.call(
                "notification.setPreference", {"eventKind": "ISSUE_STALLED", "enabled": False, "scope": scope}
            )
        agent_id = self.office.an_agent(f"chatty-{self.id[-6:]}")["id"]
        for _ in range(2):
            thread = self.office.call(
                "threads.create", {"agentId": agent_id, "title": SECRET_WORDS, "userId": self.id}
            )
            for body in (SECRET_WORDS, LONG):
                self.office.call("threads.post", {"threadId": thread["id"], "body": body[:200]})
        self.office.call("members.update", {"userId": self.id, "name": f"{NAME} II"})
        return str(issue["id"])

    def erase(self) -> None:
        self.office.call("members.erase", {"userId": self.id})


def a_message(workspace_id: str, erasure_id: str) -> str:
    return json.dumps({"workspaceId": workspace_id, "erasureId": erasure_id})


def work(world: World, store: Store, workspace_id: str, erasure_id: str, **how: Any) -> bool:
    """A worker gets a message about it."""
    services = world.services._replace(store=store)
    worker = worker_of(services, ErasureItem.queue)
    return carrying_out.consume(Worker(**{**_fields(worker), **how}), a_message(workspace_id, erasure_id))


def texts_of(store: Store) -> str:
    """All that the table and the bucket hold, as one text."""
    names = store.blobs.list_names("")
    return json.dumps([*dump(store).items()], default=str) + " ".join(
        name + store.blobs.get_text(name) for name in names
    )


def of_workspace(held: Dump, workspace_id: str) -> Dump:
    return {place: item for place, item in held.items() if workspace_id in str(place) + str(item)}


def _fields(worker: Worker) -> dict[str, Any]:
    return {name: getattr(worker, name) for name in worker.__slots__}
