"""A yard: an office with a repository, and sessions that work on its backlog."""

import json
from typing import Any
from uuid import UUID, uuid5

from tests.workshop.office import Body, Office

REPOSITORY = "demo/app"
CONFIRMED = "I understand this may cause conflicts"
_SESSIONS = UUID("00000000-0000-0000-0000-000000000000")


def a_repository(office: Office, name: str = REPOSITORY, **more: object) -> Body:
    order = {"fullName": name, "provider": "native", "default": True, **more}
    return office.call("repositories.register", order)


def filed(office: Office, title: str = "Login hangs", **more: object) -> int:
    """The number of a new one."""
    order = {"title": title, "priority": "high", "type": "bug", **more}
    answer = office.call("create_issue", order)
    assert answer["success"], answer
    return int(answer["issue"]["number"])


class Session:
    """One client of a key."""

    def __init__(self, office: Office, name: str, key: str | None = None) -> None:
        self.office, self.key = office, key or office.owner_key
        self.id = str(uuid5(_SESSIONS, name))

    def call(self, tool: str, **arguments: Any) -> Body:
        headers = {"x-forge-session": self.id}
        answer = self.office.world.rest(tool, arguments, key=self.key, headers=headers)
        assert answer.status == 200, answer.body
        body: Body = json.loads(answer.body)
        return body

    def select(self, **arguments: Any) -> Body:
        return self.call("select_next_issue", **arguments)

    def taken(self, **arguments: Any) -> int:
        """The number of the issue that it gets."""
        return int(self.select(**arguments)["issue"]["number"])

    def advance(self, number: int, target: str, **more: Any) -> Body:
        return self.call("advance_workflow", issueNumber=number, targetPhase=target, **more)

    def release(self, number: int, reason: str) -> Body:
        return self.call("release_lock", issueNumber=number, reason=reason)

    def force(self, number: int, confirmation: str = CONFIRMED) -> Body:
        return self.call("force_claim", issueNumber=number, confirmation=confirmation)

    def renew(self, number: int) -> Body:
        return self.call("renew_lock", issueNumber=number)

    def status(self, number: int | None = None) -> list[Body]:
        found: list[Body] = self.call("get_workflow_status", issueNumber=number)["workflows"]
        return found


def backlog(office: Office, **arguments: Any) -> list[Body]:
    found: list[Body] = office.call("list_backlog", arguments)["backlog"]
    return found


def labels_of(office: Office, number: int) -> set[str]:
    shown = office.call("issues.get", {"id": f"{office.workspace.key_prefix}-{number}"})
    return {label["name"] for label in shown["labels"]}


def identifier(office: Office, number: int) -> str:
    return f"{office.workspace.key_prefix}-{number}"
