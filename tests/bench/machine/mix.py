"""What agents ask for, and what they write: the same calls for both servers."""

from collections.abc import Iterator, Mapping
from itertools import count, cycle
from secrets import token_hex
from typing import Any

from tests.bench.machine.clients import Call, Client, Script

READS, WRITES = (
    ("issues.get", "issues.list", "agent.inbox"),
    (
        "comments.create",
        "issues.create",
        "comments.create",
        "runs.recordUsage",
    ),
)

_DESCRIPTION = (
    "People are signed out when they open the settings page. Keep the cookie when the page is served, and "
    "add a test that fails before. The mobile client must stay as it is. Known as "
)


def reading(issue_ids: list[str]) -> Script:
    def script(client: Client) -> Iterator[Call]:
        for tool, issue_id in zip(cycle(READS), cycle(issue_ids), strict=False):
            if tool == "issues.get":
                yield tool, {"id": issue_id}
            elif tool == "issues.list":
                yield tool, {"limit": 20}
            else:
                yield tool, {}

    return script


def writing(issue_ids: dict[str, str], run_ids: dict[str, str]) -> Script:
    """Each client writes to what is its own, by its key."""

    def script(client: Client) -> Iterator[Call]:
        issue_id, run_id = issue_ids[client.key], run_ids[client.key]
        for number, tool in zip(count(1), cycle(WRITES), strict=False):
            if tool == "issues.create":
                yield an_issue(number)
            elif tool == "comments.create":
                yield tool, {"issueId": issue_id, "body": f"Reproduced; this is remark {number}."}
            else:
                yield (
                    tool,
                    {"runId": run_id, "tokensIn": 100 * number, "tokensOut": 10 * number, "costUsd": 0.01},
                )

    return script


def an_issue(number: int) -> Call:
    """Found by a word that is in no other."""
    return "issues.create", {
        "title": f"Keep people signed in, part {number}",
        "description": f"{_DESCRIPTION}w{token_hex(6)}.",
        "priority": "HIGH",
    }


def own_word(arguments: Mapping[str, Any]) -> str:
    """The one that no other issue has."""
    return str(arguments["description"]).rstrip(".").rpartition(" ")[2]
