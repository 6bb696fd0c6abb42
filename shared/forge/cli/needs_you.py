"""`forge needs-you`, `accept`, `decline` and `vote`: what waits for a person's decision, from a terminal."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import sleep
from typing import Any

import typer

from forge.cli import gates, stuck_runs
from forge.cli.calls import BadArguments, Connection, Refused, call_tool, ending, moment, out, say, show_text

Row = Mapping[str, Any]

_MOST_PAGES = 10
_WATCH_SECONDS = 5.0
_AN_AGENTS_KEY = "This is an agent's key, and agents decide nothing: give your own as --key or FORGE_KEY."
_RANKS = {"CRITICAL": 0, "ERROR": 1, "WARNING": 2, "SUCCESS": 3, "INFO": 4}
"""The gravest first, and with them what only a newer Forge knows."""


def look(at: Connection, request_id: str | None, *, everything: bool, as_json: bool) -> int:
    return ending(lambda: _look(at, request_id, everything=everything, as_json=as_json))


def watch(at: Connection, *, everything: bool, pause: Callable[[float], None] = sleep) -> int:
    """List what waits, then say what comes, until somebody interrupts."""

    def go_on() -> None:
        rows = _waiting(at, everything=everything)
        _show_list(rows)
        while True:
            pause(_WATCH_SECONDS)
            known = {row["id"] for row in rows}
            rows = _waiting(at, everything=everything)
            if fresh := [row for row in rows if row["id"] not in known]:
                _show_list(fresh)

    try:
        return ending(go_on)
    except KeyboardInterrupt:
        return 0


def accept(at: Connection, request_id: str, answer: str, *, shown: str) -> int:
    return ending(lambda: _accept(at, request_id, answer, shown=shown))


def decline(at: Connection, request_id: str, reason: str) -> int:
    def settle() -> None:
        if gates.is_gate(request_id):
            gates.resolve(at, request_id, "REJECTED", reason)
            return
        _call(at, "decline", {"id": request_id, **({"reason": reason} if reason else {})})
        say(f"Declined {request_id}.")

    return ending(settle)


def answer(at: Connection, run_id: str, words: str) -> int:
    return ending(lambda: stuck_runs.answer(at, run_id, words))


def kick(at: Connection, run_id: str) -> int:
    return ending(lambda: stuck_runs.kick(at, run_id))


def reassign(at: Connection, run_id: str, agent: str, reason: str) -> int:
    return ending(lambda: stuck_runs.reassign(at, run_id, agent, reason))


def vote(at: Connection, request_id: str, option: str) -> int:
    def cast() -> None:
        _call(at, "vote", {"id": request_id, "optionKey": option})
        _show_standing(_call(at, "results", {"id": request_id}))

    return ending(cast)


def _look(at: Connection, request_id: str | None, *, everything: bool, as_json: bool) -> None:
    if request_id is None:
        rows = _waiting(at, everything=everything)
    elif gates.is_gate(request_id):
        rows = [gates.find(at, request_id)]
    elif stuck_runs.is_run(request_id):
        rows = [stuck_runs.find(at, request_id)]
    else:
        rows = [_card(at, request_id)]
    if as_json:
        out.print_json(json.dumps({"data": [dict(row) for row in rows]}))
    elif request_id is None:
        _show_list(rows)
    elif gates.is_gate(request_id):
        gates.show(rows[0])
    elif stuck_runs.is_run(request_id):
        stuck_runs.show(rows[0])
    else:
        _show_card(at, rows[0])


def _accept(at: Connection, request_id: str, answer: str, *, shown: str) -> None:
    if gates.is_gate(request_id):
        if shown:
            raise BadArguments("A gate is shown without a code: leave --shown out.")
        gates.resolve(at, request_id, "APPROVED", answer)
        return
    if not shown:
        card = _card(at, request_id)
        _show_card(at, card)
        typer.confirm("Accept this?", abort=True)
        shown = str(card["shownHash"])
    order = {"id": request_id, "shownHash": shown, **({"resolution": answer} if answer else {})}
    accepted = _call(at, "accept", order)
    done = "Done as asked." if accepted["dispatched"] else "Your answer is kept with the request."
    say(f"Accepted {request_id}. {done}")


def _waiting(at: Connection, *, everything: bool) -> list[Row]:
    """What is for this person to decide, what is for nobody in particular, and which agents are stuck.

    The gravest first, then the oldest.
    """
    try:
        mine = [*_pages(at, {"assignedUserId": "me"})]
    except Refused as refused:
        if "assignedUserId" in (refused.answer.get("issues") or {}):
            raise BadArguments(_AN_AGENTS_KEY) from None
        raise
    known = {row["id"] for row in mine}
    others = [row for row in _pages(at, {}) if row["id"] not in known]
    open_to_all = [row for row in others if not row["assignedUserId"] and not row["assignedAgentId"]]
    rows = [*mine, *(others if everything else open_to_all), *gates.pending(at), *stuck_runs.pending(at)]
    return sorted(rows, key=lambda row: (_RANKS.get(row["severity"], 0), row["createdAt"]))


def _pages(at: Connection, filters: Row) -> Iterator[Row]:
    order = {"status": "OPEN", "include": ["card"], **filters}
    for _ in range(_MOST_PAGES):
        page = _call(at, "list", order)
        yield from page["data"]
        if "nextCursor" not in page:
            return
        order["cursor"] = page["nextCursor"]


def _card(at: Connection, request_id: str) -> Row:
    rows: Sequence[Row] = _call(at, "list", {"id": request_id, "include": ["card"]})["data"]
    if not rows:
        raise BadArguments(
            f"There is no request {request_id}. forge needs-you lists those that wait for you."
        )
    return rows[0]


def _call(at: Connection, verb: str, arguments: Row, *, namespace: str = "actionRequests") -> dict[str, Any]:
    return call_tool(at, f"{namespace}.{verb}", arguments)


def _show_list(rows: Sequence[Row]) -> None:
    if not rows:
        say("Nothing waits for you.")
        return
    for row in rows:
        about = f" {row['identifier']}" if row.get("identifier") else ""
        say(f"{row['id']} {row['severity']}{about}: {row['title']}")
        due = f", due {moment(row['dueAt'])}" if row["dueAt"] else ""
        due += f", lapses {moment(row['lapsesAt'])}" if row.get("lapsesAt") else ""
        did = "is stuck since" if stuck_runs.is_run(row["id"]) else "asked"
        say(f"    {row.get('requestedBy') or 'somebody'} {did} {moment(row['createdAt'])}{due}")
    say("")
    say("forge needs-you ID shows one of them whole.")


def _show_card(at: Connection, row: Row) -> None:
    say(str(row["title"]))
    say(
        f"{row['status']}, {row['severity']}, asked by {row.get('requestedBy') or 'somebody'}"
        f" {moment(row['createdAt'])}" + (f", for {row['assignedTo']}" if row.get("assignedTo") else "")
    )
    if row.get("identifier"):
        say(f"About {row['identifier']}{_cost(at, row)}.")
    say(_lasting(row))
    show_text(row["body"])
    for option in row["options"] or ():
        more = f": {option['description']}" if option.get("description") else ""
        say(f"  {option['key']} - {option['label']}{more}")
    say(f"A yes: {row['effect']}")
    for place, step in enumerate(row.get("steps") or (), 1):
        _show_step(at, row, place, step)
    for news in row.get("since") or ():
        say(f"Since then: {news}")
    if row["status"] != "OPEN":
        show_text(row["resolution"])
        return
    say("")
    say(f"forge accept {row['id']} --shown {row['shownHash']}")
    say(f"forge decline {row['id']}")
    if row["options"]:
        say(f"forge vote {row['id']} {row['options'][0]['key']}")


def _lasting(row: Row) -> str:
    if row.get("lapsesAt"):
        return f"Lapses {moment(row['lapsesAt'])}: then nobody is asked any more, and the plan stays a draft."
    return (
        f"Due {moment(row['dueAt'])}; nothing happens by itself then." if row["dueAt"] else "Never expires."
    )


def _show_step(at: Connection, row: Row, place: int, step: Row) -> None:
    """All that a yes is one to; what a card has no room for is fetched."""
    if step.get("truncated"):
        order = {"id": row["sourceId"], "stepId": step["id"]}
        (whole,) = _call(at, "get", order, namespace="executionPlans")["steps"]
        checks = [
            f"{one['label']} ({one['value']})" if one.get("value") else one["label"]
            for one in whole.get("verification", ())
        ]
        step = {
            **step,
            **{one: whole.get(one) for one in ("title", "body", "expectedOutput")},
            "verification": checks,
        }
    after = f"after {', '.join(map(str, step['after']))}" if step.get("after") else ""
    who = ", ".join(one for one in (step.get("assignedTo"), step.get("assignedRole"), after) if one)
    say("")
    say(f"Step {place}: {step['title']}{f' ({who})' if who else ''}")
    show_text(step.get("body"))
    for name, text in (
        ("Expected", step.get("expectedOutput")),
        *(("Check", one) for one in step.get("verification") or ()),
    ):
        if text:
            say(f"  {name}:")
            show_text(text)


def _cost(at: Connection, row: Row) -> str:
    """What the runs on its issue have cost so far, as far as they said."""
    order = {"issueId": row["issueId"], "fields": ["costUsd"], "limit": 200}
    runs = _call(at, "list", order, namespace="runs")["data"]
    costs = [run["costUsd"] for run in runs if run["costUsd"] is not None]
    return f", on which {sum(costs):.2f} USD were spent so far" if costs else ""


def _show_standing(standing: Row) -> None:
    for option in standing["options"]:
        mine = " (yours)" if option["optionKey"] == standing["myVote"] else ""
        say(f"{option['count']:>3} {option['optionKey']} - {option['label']}{mine}")
