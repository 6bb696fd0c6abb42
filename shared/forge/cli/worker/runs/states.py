"""How a run stands at Forge."""

from forge.cli.worker.limits import Usage, Used
from forge.cli.worker.runs.engagements import RUN
from forge.cli.worker.server.client import FOR_EVER, Body, Server

GONE = "GONE"


def status_of(server: Server, run_id: str, *, patience: float = FOR_EVER) -> str:
    return str(row_of(server, run_id, patience=patience)["status"])


def row_of(server: Server, run_id: str, *, patience: float = FOR_EVER) -> Body:
    if not run_id.startswith(RUN):
        return {"status": "ACTIVE"}
    rows: list[Body] = server.call("runs.list", {"id": run_id}, patience=patience)["data"]
    return rows[0] if rows else {"status": GONE}


def used_in(row: Body) -> Used:
    """What Forge knows that it has used: perhaps on another machine."""
    usage = Usage(
        row.get("tokensIn") or 0, row.get("tokensOut") or 0, row.get("tokensCached") or 0, row.get("costUsd")
    )
    return Used(usage, row.get("turns") or 0)


def waiting_runs(server: Server, *, at_once: int = 200) -> set[str]:
    """Of this agent: all those that still wait for somebody, as what is missing here counts as answered."""
    found: set[str] = set()
    asked: Body = {"agentId": "me", "status": "WAITING", "limit": at_once}
    while True:
        page = server.call("runs.list", asked)
        found |= {str(row["id"]) for row in page["data"]}
        if not page.get("nextCursor"):
            return found
        asked = asked | {"cursor": page["nextCursor"]}


def open_request(server: Server, run_id: str, identifier: str) -> str:
    """What a child asked by itself and nobody has decided; nothing where it asked otherwise."""
    rows: list[Body] = server.call(
        "actionRequests.list", {"issueId": identifier, "status": "OPEN"}, patience=FOR_EVER
    )["data"]
    own = [row for row in rows if row.get("runId") in (None, run_id)]
    return str(own[0]["id"]) if own else ""
