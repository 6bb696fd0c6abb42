"""An agent's task: fifteen calls, from the issue that a person writes to the work that is done and told."""

from collections.abc import Iterator

from tests.economy.day import DESCRIPTION
from tests.workshop.office import Body, Office

SECONDS_BETWEEN = 20
"""An agent thinks between its calls."""

ISSUE, RUN = "the issue", "the run"
"""Stand for the ids that earlier calls told."""

_SUMMARY = "The cookie is renewed when the page is served; the mobile client is as it was."

WRITTEN_BY_A_PERSON: list[tuple[str, Body]] = [
    ("issues.create", {"description": DESCRIPTION, "priority": "HIGH", "queue": True}),
    ("comments.create", {"issueId": ISSUE, "body": "Three customers wrote about this last week."}),
]
DONE_BY_AN_AGENT: list[tuple[str, Body]] = [
    ("agents.heartbeat", {"status": "BUSY"}),
    ("agent.inbox", {}),
    ("issues.claim", {"include": "bundle"}),
    ("issues.list", {"query": "settings page", "limit": 5}),
    ("comments.upsertStatus", {"issueId": ISSUE, "body": "Reproduced. Writing a test."}),
    ("comments.upsertStatus", {"issueId": ISSUE, "body": "The test fails as it should. Mending it."}),
    ("issues.update", {"id": ISSUE, "priority": "MEDIUM"}),
    ("runs.recordUsage", {"runId": RUN, "tokensIn": 20_000, "tokensOut": 2_000, "costUsd": 0.11}),
    ("agents.heartbeat", {"status": "BUSY"}),
    ("comments.upsertStatus", {"issueId": ISSUE, "body": "Green. Looking at the mobile client."}),
    ("comments.create", {"issueId": ISSUE, "body": "The cookie is renewed when the page is served."}),
    ("issues.get", {"id": ISSUE}),
    (
        "runs.complete",
        {
            "runId": RUN,
            "summary": _SUMMARY,
            "artifact": {"title": "How it was verified", "body": "The test fails before, and passes after."},
            "usage": {"tokensIn": 48_210, "tokensOut": 3_901, "costUsd": 0.27},
        },
    ),
]


def play(office: Office, agent_key: str, number: int, *, person_key: str) -> Iterator[str]:
    """Each call's name, after it was made."""
    title = f"Keep people signed in on the settings page, part {number}"
    known: dict[str, str] = {}
    calls = [(tool, arguments, person_key) for tool, arguments in WRITTEN_BY_A_PERSON]
    calls += [(tool, arguments, agent_key) for tool, arguments in DONE_BY_AN_AGENT]
    for tool, arguments, key in calls:
        office.world.clock.advance(seconds=SECONDS_BETWEEN)
        given = {name: known.get(str(value), value) for name, value in arguments.items()}
        answer = office.call(tool, {"title": title, **given} if tool == "issues.create" else given, key=key)
        if tool == "issues.create":
            known[ISSUE] = answer["id"]
        if tool == "issues.claim":
            known[RUN] = answer["runId"]
        yield tool
