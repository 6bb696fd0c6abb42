"""Review gates from a terminal: where a plan, a step, a run of the gateway or something else waits."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import typer

from forge.cli.calls import BadArguments, Connection, call_tool, moment, say, show_text

Row = Mapping[str, Any]

SEVERITY = "WARNING"
"""Of a gate: something stands still until it is decided."""

_MOST_PAGES = 10
_PLAN, _STEP, _RUN = "execution-plan", "execution-step", "gateway-run"
_YES = {
    _PLAN: "the plan runs again, with as much again of the budget that it has used up.",
    _STEP: "a step that is blocked is tried anew, with all its retries; one in review is done.",
    _RUN: "the gate opens that the run waits for.",
}
_CANCELED = "the plan is canceled, its runs end, and its goal is open again."
_NO = {
    _PLAN: _CANCELED,
    _STEP: _CANCELED,
    _RUN: "a plan has to be analysed anew; a change that did not pass is made again.",
}
_PARTS = {"plan": "planId", "goal": "goalId", "issue": "issueId"}
_KEPT = "nothing by itself; whoever opened the gate reads your decision."


def is_gate(request_id: str) -> bool:
    return request_id.startswith("gate_")


def pending(at: Connection) -> list[Row]:
    """As rows like those of requests, so that they are listed among them."""
    order: dict[str, Any] = {"status": "PENDING", "limit": 100}
    found: list[Row] = []
    for _ in range(_MOST_PAGES):
        page = call_tool(at, "reviewGates.list", order)
        found += map(_as_request, page["data"])
        if "nextCursor" not in page:
            break
        order["cursor"] = page["nextCursor"]
    return found


def show(gate: Row) -> None:
    say(f"Review gate, {gate['status']}, opened {moment(gate['createdAt'])}")
    about = [f"{name} {gate[part]}" for name, part in _PARTS.items() if gate.get(part)]
    say("About " + (", ".join(about) or f"{gate['targetType']} {gate['targetId']}") + ". Never expires.")
    show_text(gate["prompt"])
    say(f"A yes: {_YES.get(gate['targetType'], _KEPT)}")
    say(f"A no: {_NO.get(gate['targetType'], _KEPT)}")
    if gate["status"] != "PENDING":
        show_text(gate["resolution"])
    else:
        say("")
        say(f"forge accept {gate['id']}")
        say(f"forge decline {gate['id']}")


def find(at: Connection, gate_id: str) -> Row:
    rows: Sequence[Row] = call_tool(at, "reviewGates.list", {"id": gate_id})["data"]
    if not rows:
        raise BadArguments(f"There is no gate {gate_id}. forge needs-you lists those that wait for you.")
    return rows[0]


def resolve(at: Connection, gate_id: str, decision: Literal["APPROVED", "REJECTED"], words: str) -> None:
    """Shown once more before either: a no may end a plan."""
    show(find(at, gate_id))
    verb = {"APPROVED": "Approve", "REJECTED": "Reject"}[decision]
    typer.confirm(f"{verb} this?", abort=True)
    said = {"resolution": words} if words else {}
    call_tool(at, "reviewGates.resolve", {"id": gate_id, "decision": decision, **said})
    say(f"{decision.capitalize()} {gate_id}.")


def _as_request(gate: Row) -> Row:
    opened_by = gate.get("requestedBy") or "Forge itself"
    beginning = gate["prompt"].strip().split("\n", 1)[0]
    return {**gate, "title": beginning, "severity": SEVERITY, "requestedBy": opened_by, "dueAt": None}
