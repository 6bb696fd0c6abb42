"""How keys end before their time: with every token of theirs, and with what was made with them."""

from collections.abc import Sequence

from forge.store.table import Table
from forge.store.transactions import Transaction
from forge.work.workspace.people import keyrings
from forge.work.workspace.people.api_keys import ApiKeyItem, AuthenticationItem, HeldKey
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.people.members import MemberItem

MADE_AT_ONCE = 20
"""Keys that end in the transaction that ends their maker; a continuation has the rest."""


def made_by(table: Table, owner: MemberItem, key_id: str) -> list[ApiKeyItem]:
    """The first of a member's live keys that this one has made, for browsers and clients; two requests."""
    places = [AUTHENTICATION(key_hash) for key_hash in owner.live_keys]
    known = table.read(places)
    used = [one for place in places if (one := known.find(AuthenticationItem, place))]
    ids = dict.fromkeys(one.id for one in used if one.made_by_key_id == key_id and one.revoked_at is None)
    listed = [ApiKeyItem.at(owner.workspace_id, one) for one in [*ids][:MADE_AT_ONCE]]
    found = table.read(listed)
    return [item for place in listed if (item := found.find(ApiKeyItem, place))]


def revoke(tx: Transaction, held: HeldKey, also: Sequence[ApiKeyItem] = ()) -> ApiKeyItem:
    """End a key for good, with every token of it, and others of its owner; the next call is refused."""
    item, owner, agent_keys = held
    ended = [key_hash for one in (item, *also) for key_hash in one.hashes(tx.origin.now)]
    revoked, *_ = over = [one.changed(revoked_at=tx.origin.now, live_keys={}) for one in (item, *also)]
    for one in over:
        tx.replace(one)
    for key_hash in ended:
        tx.adjust(AUTHENTICATION(key_hash), assign={"revoked_at": tx.origin.now})
    if owner is not None and not owner.live_keys.keys().isdisjoint(ended):
        tx.replace(owner.changed(live_keys=keyrings.removed(owner.live_keys, *ended)))
    if agent_keys is not None and not agent_keys.live_keys.keys().isdisjoint(ended):
        tx.replace(agent_keys.changed(live_keys=keyrings.removed(agent_keys.live_keys, *ended)))
    return revoked
