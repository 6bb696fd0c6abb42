"""The pins of one person or agent, and the issues that they lead to."""

from collections.abc import Iterable

from forge.context import Context
from forge.errors import InvalidInput
from forge.store.items import Item
from forge.store.keys import At
from forge.store.transactions import Transaction, overtaken
from forge.work.issues.desks import Reach, read_issues, resolve_all, settings_key, unknown_reference
from forge.work.workspace.people.members import BELONGINGS


class PinsItem(Item):
    stored = At(BELONGINGS, "PINS")

    workspace_id: str
    owner_id: str
    """A person or, for an agent's key, the agent itself."""
    issue_ids: list[str] = []


def find(ctx: Context, owner_id: str) -> PinsItem | None:
    return ctx.table.find(PinsItem, PinsItem.at(ctx.caller.workspace_id, owner_id))


def look(ctx: Context, pins: PinsItem | None) -> Reach:
    """The issues that are pinned, whether or not the caller may still see them; one request."""
    return read_issues(ctx, pins.issue_ids if pins else (), also=[settings_key(ctx)])


def find_with_issues(ctx: Context, owner_id: str, given: Iterable[str]) -> tuple[PinsItem | None, list[str]]:
    """The pins as they are, and the ids of the issues that shall be: all of them the caller may see."""
    references = resolve_all(ctx, [*given], missing=_unknown)
    place = PinsItem.at(ctx.caller.workspace_id, owner_id)
    reach = read_issues(ctx, (one.issue_id for one in references.values()), also=[settings_key(ctx), place])
    ids = [reach.show(one, missing=_unknown(name)).id for name, one in references.items()]
    return reach.readings.find(PinsItem, place), ids


def save(tx: Transaction, before: PinsItem | None, owner_id: str, issue_ids: list[str]) -> PinsItem:
    """Store all pins of an owner."""
    if before is not None:
        after = before.changed(issue_ids=issue_ids)
        tx.replace(after)
        return after
    first = PinsItem(workspace_id=tx.origin.caller.workspace_id, owner_id=owner_id, issue_ids=issue_ids)
    tx.create(first, refusal=overtaken)
    return first


def _unknown(given: str) -> InvalidInput:
    return unknown_reference("issueIds", given)
