"""A key with all that a client was given of it: found by any of its tokens, and ended as one."""

from forge.auth.keys import RAW_PREFIX, hash_of
from forge.context import Caller, KeyKind
from forge.errors import NotFound
from forge.store.transactions import decided_again
from forge.work.issues.runs import keys as run_keys
from forge.work.record.continuations import continuations
from forge.work.record.continuations.continuations import ContinuationKind
from forge.work.record.log import events
from forge.work.workspace.people import api_keys
from forge.work.workspace.people.api_keys import ApiKeyItem, AuthenticationItem, HeldKey
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.signins import revocations
from functions.oauth.stored.codes import CodeItem
from functions.oauth.stored.refreshes import RefreshItem
from functions.oauth.visits import OVERTAKEN, TRIES, Visit


def find(visit: Visit, workspace_id: str, key_id: str) -> HeldKey | None:
    """The key, if it is a client's and still good for something."""
    try:
        held = api_keys.open_held(visit.table, workspace_id, key_id)
    except NotFound:
        return None
    is_good = held.item.client is not None and held.item.is_live(visit.services.now())
    return held if is_good else None


def end(visit: Visit, workspace_id: str, key_id: str, *, tool: str) -> None:
    """Every token of it, and whatever would give another."""
    decided_again(lambda: _end(visit, workspace_id, key_id, tool), tries=TRIES, spent=OVERTAKEN)


def of_token(visit: Visit, raw: str) -> ApiKeyItem | None:
    """The key that a token is of, whichever it is."""
    if raw.startswith(RAW_PREFIX):
        used = visit.table.find(AuthenticationItem, AUTHENTICATION(hash_of(raw)))
        place = (used.workspace_id, used.id) if used and used.resource else None
    else:
        refresh = visit.table.find(RefreshItem, RefreshItem.at(hash_of(raw)))
        place = (refresh.workspace_id, refresh.key_id) if refresh else None
    held = find(visit, *place) if place else None
    return held.item if held else None


def actor(key: ApiKeyItem) -> Caller:
    """In whose name something happens to a key that its client asks for."""
    return _actor(key.id, key.workspace_id, key.user_id, key.linked_agent_id)


def actor_of(code: CodeItem) -> Caller:
    """The same of one that is about to be made."""
    return _actor(code.key_id, code.workspace_id, code.user_id, code.agent_id)


def _actor(key_id: str, workspace_id: str, user_id: str | None, agent_id: str | None) -> Caller:
    nothing: frozenset[str] = frozenset()
    return Caller(key_id, workspace_id, KeyKind.SESSION, nothing, key_id, user_id, agent_id=agent_id)


def _end(visit: Visit, workspace_id: str, key_id: str, tool: str) -> None:
    held = find(visit, workspace_id, key_id)
    if held is None:
        return
    caller = visit.who if visit.who and visit.who.workspace_id == workspace_id else actor(held.item)
    tx = visit.begin(caller, tool)
    revoked = revocations.revoke(tx, held)
    agent_id = held.item.linked_agent_id
    if held.item.kind is KeyKind.AGENT and agent_id is not None:
        # As `keys.revoke` does: what a worker made for runs ends with what it made it with.
        live = run_keys.of_agent(visit.table, workspace_id, agent_id)
        run_keys.end_all(tx, run_keys.made_by(visit.table, live, key_id))
        continuations.begin(tx, ContinuationKind.KEY_REVOKED, agent_id, words=[key_id])
    events.record_change(tx, "key", key_id, action="revoke", before=held.item, after=revoked)
    visit.services.store.commit(tx)
