"""Requests to decide, and what is left of them in the log."""

from typing import Any

from forge.work.record.log.rows import LogItem
from tests.workshop.office import Body, Office

OPTIONS = [
    {"key": "retry", "label": "Add retry-on-failure", "description": "Cheapest, masks the underlying race."},
    {"key": "isolate", "label": "Isolate the test in its own worker"},
    {"key": "rewrite", "label": "Rewrite against a deterministic fixture"},
]


def asked(office: Office, title: str = "May I?", *, key: str | None = None, **more: Any) -> str:
    made = office.call("actionRequests.create", {"title": title, **more}, key=key or office.owner_key)
    return str(made["id"])


def a_poll(office: Office, **more: Any) -> str:
    return asked(office, "Which way?", options=OPTIONS, **more)


def card(office: Office, request_id: str, **how: str) -> Body:
    (row,) = office.rows("actionRequests.list", {"id": request_id, "include": ["card"]}, **how)
    return row


def request_events(office: Office) -> list[LogItem]:
    return [row for row in office.log() if row.subject_type == "action-request"]


def issue_of(office: Office, issue_id: str) -> Body:
    return office.call("issues.get", {"id": issue_id})
