"""What waits for whoever reads it, gathered from tools of several namespaces by calling them."""

from collections.abc import Iterable, Mapping
from typing import Any

from forge.context import Context
from forge.contract.contents import Contents, section
from forge.contract.effects import Cost
from forge.contract.models import NoArguments
from forge.contract.offering import Offering
from forge.contract.terms import Scope
from forge.jsontext import decode, encode
from functions.catalog.tools import namespace

offers = Offering(namespace)

Row = Mapping[str, Any]

_MOST = 50


@offers.resource(
    "forge://needs-you",
    title="Needs you",
    scopes=[Scope.READ_ISSUES],
    costs=Cost(reads=14).up_to(reads=20, because="lists are filtered"),
)
def needs_you_page(request: NoArguments, ctx: Context) -> Contents:
    """What waits for you: decisions and stuck runs for a person, the inbox for an agent."""
    if ctx.caller.agent_id:
        waiting = section("Inbox, the oldest first", _listed(_rows(ctx, "agent.inbox", {}), encode))
        more = "agent.inbox {} has all of it."
    else:
        waiting = _for_a_person(ctx)
        more = "actionRequests.list, reviewGates.list and runs.list have all of it."
    return Contents.markdown(f"# Needs you{waiting or chr(10) * 2 + 'Nothing waits for you.'}", read_on=more)


def _for_a_person(ctx: Context) -> str:
    """Decisions are a person's: what is given to others is left out."""
    asked = _rows(ctx, "actionRequests.list", {"status": "OPEN", "limit": _MOST})
    me = (None, ctx.caller.user_id)
    requests = [one for one in asked if one["assignedUserId"] in me and not one["assignedAgentId"]]
    gates = _rows(ctx, "reviewGates.list", {"status": "PENDING", "limit": _MOST})
    stuck = _rows(ctx, "runs.list", {"needsPerson": True, "limit": _MOST})
    return (
        section("Asked of you", _listed(requests, _request))
        + section("Gates", _listed(gates, lambda one: f"{one['id']} ({one['targetType']}): {one['prompt']}"))
        + section("Runs that wait or are stuck", _listed(stuck, _run))
    )


def _request(one: Row) -> str:
    return f"{one['id']} {one['severity']} {one['title']}\n\n  {one['body'] or ''}".rstrip()


def _run(one: Row) -> str:
    return f"{one['id']} {one['status']} {one['issue']['identifier']} {one['currentStep'] or ''}".rstrip()


def _rows(ctx: Context, tool: str, arguments: Row) -> list[Row]:
    found: list[Row] = decode(ctx.call_tool(tool, arguments))["data"]
    return found


def _listed(rows: Iterable[Row], shown: Any) -> str:
    return "\n".join(f"- {shown(one)}" for one in rows)
