"""Accounts at a provider of identities, and the user that each is.

An account is found by a digest of who made it and what it is called there, in which nobody can read either.
"""

from collections.abc import Iterable
from datetime import datetime

from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.ranges import SortRange
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken

_MOST = 50
"""A user has one account of a provider, and few deployments had more than two of those."""
_OF_USER = Partition("USER#{user_id}#ACCOUNTS", outside="somebody may be in many workspaces")


class IdentityItem(Item):
    """It stays when its user is erased: whoever was removed must not be taken for a stranger."""

    stored = At(Partition("OAUTH#IDENTITY#{account}", outside="an account does not say of which"), "USER")

    account: str
    user_id: str
    workspace_id: str
    """The workspace that this person entered last."""
    created_at: datetime


class UserIdentityItem(Item):
    """That a user has an account of this provider: with another one of it nobody else becomes that user."""

    stored = At(_OF_USER, "IDENTITY#{issuer_digest}")

    user_id: str
    issuer_digest: str
    account: str
    created_at: datetime


def enter(tx: Transaction, known: IdentityItem, workspace_id: str) -> None:
    """Remember where an account went; even where that is no news, two who are made at once are told apart."""
    tx.replace(known.changed(workspace_id=workspace_id))


def bind(
    tx: Transaction, fresh: IdentityItem, *, issuer_digest: str, before: IdentityItem | None = None
) -> None:
    """An account is a user's from now on; if somebody was quicker, all of it is decided again.

    `before` is the account of a user who was erased since.
    """
    if before is None:
        tx.create(fresh, refusal=overtaken)
    else:
        tx.replace(before.changed(user_id=fresh.user_id, workspace_id=fresh.workspace_id))
    link = UserIdentityItem.of(fresh, issuer_digest=issuer_digest)
    tx.create(link, refusal=overtaken)


def keys_of_user(table: Table, user_id: str) -> Iterable[Key]:
    """Where it is told which accounts they have."""
    among = SortRange(prefix=UserIdentityItem.stored.prefix())
    return table.query_all(_OF_USER(user_id), most=_MOST, sort=among).first_ones().keys
