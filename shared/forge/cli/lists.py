"""`forge list`: what there is, as tables with the few columns that fit into a terminal."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from forge.cli import tools
from forge.cli.calls import BadArguments, Connection, call_admin, call_tool, ending, moment, out

Row = Mapping[str, Any]
Column = Callable[[Row], object]


class Listed(NamedTuple):
    """A list: what is called for it, and how a row of it is shown."""

    call: Callable[[Connection, int], dict[str, Any]]
    columns: Mapping[str, Column]


def run(at: Connection, what: str, *, limit: int, as_json: bool) -> int:
    return ending(lambda: _show(at, what, limit=limit, as_json=as_json))


def _show(at: Connection, what: str, *, limit: int, as_json: bool) -> None:
    listed = LISTS.get(what)
    if listed is None:
        raise BadArguments(f"There is no list of {what!r}. Known: {', '.join(LISTS)}.")
    page = listed.call(at, limit)
    if as_json:
        out.print_json(json.dumps(page))
        return
    rows = page["data"][:limit]
    tools.show_rows([{name: column(row) for name, column in listed.columns.items()} for row in rows])
    if len(page["data"]) > limit or page.get("nextCursor"):
        out.print(f"and more: --limit {limit * 2}", markup=False)


def _of(*path: str) -> Column:
    """What stands at this place of a row, if anything does."""

    def found(row: Row) -> object:
        value: Any = row
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    return found


def _when(name: str) -> Column:
    return lambda row: moment(row[name]) if row.get(name) else None


def _tool(name: str, **arguments: object) -> Callable[[Connection, int], dict[str, Any]]:
    return lambda at, limit: call_tool(at, name, {**arguments, "limit": limit})


LISTS: Mapping[str, Listed] = {
    "issues": Listed(
        _tool("issues.list"),
        {
            "issue": _of("identifier"),
            "priority": _of("priority"),
            "status": _of("status", "name"),
            "agent": _of("assignedAgent", "profileKey"),
            "title": _of("title"),
        },
    ),
    "agents": Listed(
        lambda at, limit: call_tool(at, "agents.list", {}),
        {
            "agent": _of("profileKey"),
            "name": _of("name"),
            "status": _of("status"),
            "open": _of("openIssues"),
            "heard of": _when("lastHeartbeatAt"),
        },
    ),
    "runs": Listed(
        _tool("runs.list"),
        {
            "run": _of("id"),
            "agent": _of("agent", "profileKey"),
            "issue": _of("issue", "identifier"),
            "mode": _of("engagementMode"),
            "status": _of("status"),
            "step": _of("currentStep"),
            "last sign": _when("lastEventAt"),
        },
    ),
    "goals": Listed(
        _tool("goals.list"),
        {"goal": _of("id"), "status": _of("status"), "title": _of("title")},
    ),
    "pipelines": Listed(
        _tool("pipeline_list"),
        {
            "pipeline": _of("workspace"),
            "phase": _of("current_phase"),
            "status": _of("status"),
            "since": _when("updated_at"),
            "title": _of("title"),
        },
    ),
    "deliveries": Listed(
        lambda at, limit: call_admin(at, "webhookDeliveries.list", {"limit": limit}),
        {
            "delivery": _of("id"),
            "event": _of("kind"),
            "status": _of("status"),
            "tries": _of("attempt"),
            "answered": _of("responseStatus"),
            "due": _when("scheduledAt"),
        },
    ),
}
