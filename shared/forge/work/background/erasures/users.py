"""Who of the people that leave is a member nowhere else: they are not users of the deployment any more."""

from forge.store import erasing
from forge.store.transactions import VersionMoved
from forge.work.workspace.erasures import ErasureItem
from forge.work.workspace.people import preferences
from forge.work.workspace.people.members import MEMBERS, EmailItem, FormerMemberItem, UserItem
from forge.work.workspace.signins import accounts
from forge.work.workspace.workers import Worker

_AT_ONCE = 25
_FORMER = FormerMemberItem.stored.sort
_MEMBERS = MEMBERS.template.rpartition("}")[2]
"""What the names of all partitions of members end with."""


def see_who_leaves(worker: Worker, order: ErasureItem) -> ErasureItem:
    """Everybody who is or was a member of a workspace that is deleted."""
    found = erasing.of_tenant(worker.store.table, order.workspace_id, after=order.position)
    after, here = position(found.next_position), MEMBERS(order.workspace_id)
    leaving = {key.sort for key in found.keys if key.partition == here}
    leaving |= {key.partition.rpartition("#")[2] for key in found.keys if key.sort == _FORMER}
    return order.further(after).changed(leaving=order.leaving | leaving)


def look_elsewhere(worker: Worker, order: ErasureItem) -> ErasureItem:
    """A part of all memberships that there are: nothing leads from a person to workspaces, on purpose."""
    began_at = order.look_began_at if order.position else worker.now
    found = erasing.in_partitions(worker.store.table, _MEMBERS, after=order.position)
    after, here = position(found.next_position), MEMBERS(order.workspace_id)
    elsewhere = {key.sort for key in found.keys if key.partition != here and key.partition.endswith(_MEMBERS)}
    staying = (order.staying if order.position else set()) | (elsewhere & order.leaving)
    return order.further(after).changed(look_began_at=began_at, staying=staying)


def forget(worker: Worker, order: ErasureItem) -> ErasureItem:
    """Some of them: address, user, what they preferred everywhere, and which accounts they signed in with.

    Who became a member somewhere since the look began makes it begin anew.
    """
    gone = sorted(order.leaving - order.staying)[:_AT_ONCE]
    if not gone:
        return order.further(None)
    rows = 0
    for user_id in gone:
        try:
            rows += _forget(worker, order, user_id)
        except VersionMoved:
            return order.changed(step=order.step - 1, position=None)
    return order.again(rows=rows).changed(leaving=order.leaving - set(gone))


def _forget(worker: Worker, order: ErasureItem, user_id: str) -> int:
    """How many rows are gone; VersionMoved where the look has to begin anew."""
    table = worker.store.table
    user = table.find(UserItem, UserItem.at(user_id))
    if user is None:
        return 0
    if user.joined_at and order.look_began_at and user.joined_at >= order.look_began_at:
        raise VersionMoved
    preferred = [*preferences.keys_everywhere(table, user_id), *accounts.keys_of_user(table, user_id)]
    erasing.erase(table, preferred)
    address = table.find(EmailItem, EmailItem.of_address(user.email))
    tx = worker.begin(order.workspace_id)
    if address is not None and address.user_id == user_id:
        tx.delete(address)
    # Last, because it leads to the rest.
    tx.delete(user)
    worker.store.commit(tx)
    return len(preferred) + len(tx.writes)


def position(after: erasing.Position | None) -> dict[str, str] | None:
    return dict(after) if after else None
