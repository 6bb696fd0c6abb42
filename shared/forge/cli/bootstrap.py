"""`forge bootstrap`: the first workspace, owner and key in a freshly deployed table."""

import json
import re

from rich.console import Console

from forge.cli.progress import progress
from forge.clock import new_id, system_now
from forge.errors import DomainError
from forge.store.answers import NoAnswer, Refused
from forge.store.blobs import Blobs
from forge.store.connections import Connections
from forge.store.queues import Queues
from forge.store.store import Store
from forge.store.table import Table
from forge.work.workspace.founding import Founded, found_first
from forge.work.workspace.people.members import UserItem

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_PREFIX = re.compile(r"[A-Z0-9]{2,8}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def run(store: Store, *, slug: str, prefix: str, name: str, email: str, as_json: bool) -> int:
    console = Console(highlight=False, markup=False, soft_wrap=True)
    errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    problem = _problem(slug, prefix, email, name)
    if problem:
        errors.print(problem)
        return 2
    owner = UserItem(id=new_id("usr"), email=email, created_at=system_now())
    try:
        with progress("Founding the workspace", console=errors):
            founded = found_first(
                store, slug=slug, prefix=prefix, name=name, owner=owner, handle=None, new_id=new_id
            )
    except DomainError as error:
        errors.print(_told(error, store.table.name))
        return 1
    except Refused as error:
        errors.print(f"The table {store.table.name} can't be used: {error}")
        return 1
    console.print(json.dumps(_answer(founded)) if as_json else _text(founded))
    return 0


def store_at(table: str, connections: Connections) -> Store:
    """A store that founds workspaces: it needs the table alone."""
    return Store(Table(table, connections.tables), Blobs("", connections.s3), Queues({}, connections.sqs))


def _problem(slug: str, prefix: str, email: str, name: str) -> str | None:
    if not _SLUG.fullmatch(slug):
        return "--slug: lower-case letters, digits and dashes, at most 40."
    if not _PREFIX.fullmatch(prefix):
        return "--key: 2 to 8 capital letters or digits, the prefix of issue identifiers."
    if not 1 <= len(name.strip()) <= 120:
        return "--name: 1 to 120 characters."
    is_address = _EMAIL.fullmatch(email) and len(email) <= 254
    return None if is_address else "--email: an e-mail address."


def _told(error: DomainError, table: str) -> str:
    """Who has no credentials, or names another region, is told that, and not to wait."""
    if isinstance(error.__cause__, NoAnswer):
        return f"The table {table} could not be reached: {error.__cause__}"
    return f"{error.message} {error.hint or ''}".strip()


def _answer(founded: Founded) -> dict[str, str]:
    return {
        "workspaceId": founded.workspace.id,
        "userId": founded.owner.user_id,
        "rawKey": founded.owner_key.raw,
    }


def _text(founded: Founded) -> str:
    return (
        f"Workspace {founded.workspace.slug} ({founded.workspace.key_prefix}) is ready.\n"
        f"The owner's key, shown only now:\n\n  {founded.owner_key.raw}\n\n"
        "With it as FORGE_KEY, and the stack's Url as FORGE_URL, `forge admin` lists what an owner can do.\n"
    )
