"""Review gates from a terminal: where plans, steps and runs of the gateway wait for a person."""

from collections.abc import Mapping, Sequence
from typing import Any

import typer

from forge.cli.calls import BadArguments, Connection, call_tool, moment, say, show_text

Row = Mapping[str, Any]

_MOST_PAGES = 10
_YES = {
    "execution-plan": "The plan runs again, with as much again of the budget that it has used up.",
    "execution-step": "A step that is blocked is tried anew, with all its retries; one in review is done,"
    " judged by you.",
    "gateway-run": "The gate opens that the run waits for.",
}
_KEPT = "Nothing by itself: your decision is kept, and whoever opened the gate reads it."


def is_gate(given: str) -> bool:
    return given.startswith("gate_")


def waiting(at: Connection) -> list[Row]:
    """Those that nobody has decided at yet, the newest first."""
    order: dict[str, Any] = {"status": "PENDING", "limit": 100}
    found: list[Row] = []
    for _ in range(_MOST_PAGES):
        page = call_tool(at, "reviewGates.list", order)
        found += page["data"]
        if "nextCursor" not in page:
            break
        order["cursor"] = page["nextCursor"]
    return found


def get(at: Connection, gate_id: str) -> Row:
    rows: Sequence[Row] = call_tool(at, "reviewGates.list", {"id": gate_id})["data"]
    if not rows:
        raise BadArguments(f"There is no gate {gate_id}. forge needs-you lists those that wait for you.")
    return rows[0]


def show_row(row: Row) -> None:
    say(f"{row['id']} GATE: {_parted(row)[0]}")
    say(f"    waits since {moment(row['createdAt'])}")


def show(row: Row) -> None:
    heading, rest = _parted(row)
    say(heading)
    role = f", for the role {row['requiredRole']}" if row["requiredRole"] else ""
    say(f"{row['status']}, opened {moment(row['createdAt'])}{role}")
    show_text(rest)
    if row["status"] != "PENDING":
        show_text(row["resolution"])
        return
    say(f"A yes: {_YES.get(row['targetType'], _KEPT)}")
    say("")
    say(f"forge accept {row['id']}")
    say(f"forge decline {row['id']}")


def accept(at: Connection, gate_id: str, words: str, *, shown: str) -> None:
    if shown:
        raise BadArguments("A gate ends with no code: leave --shown out.")
    show(get(at, gate_id))
    typer.confirm("Approve this?", abort=True)
    _resolve(at, gate_id, "APPROVED", words)
    say(f"Approved {gate_id}.")


def decline(at: Connection, gate_id: str, words: str) -> None:
    _resolve(at, gate_id, "REJECTED", words)
    say(f"Rejected {gate_id}.")


def _parted(row: Row) -> tuple[str, str]:
    """The first line of what is asked, which stands for it, and the rest."""
    heading, _, rest = str(row["prompt"]).strip().partition("\n")
    return heading, rest.strip()


def _resolve(at: Connection, gate_id: str, decision: str, words: str) -> None:
    order = {"id": gate_id, "decision": decision, **({"resolution": words} if words else {})}
    call_tool(at, "reviewGates.resolve", order)
