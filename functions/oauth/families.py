"""A key with all that a client was given of it: found by any of its tokens, and ended as one."""

from forge.auth.keys import RAW_PREFIX, hash_of
from forge.context import Caller, KeyKind
from forge.errors import NotFound
from forge.store.transactions import decided_again
from forge.work.issues.runs import keys as run_keys
from forge.work.workspace.people import api_keys
from forge.work.workspace.people.api_keys import ApiKeyItem, AuthenticationItem, HeldKey
from forge.work.workspace.people.authentication import AUTHENTICATION
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
        place = (used.workspace_id, used.id) if used else None
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
    tx = visit.begin(visit.who or actor(held.item), tool)
    run_keys.revoke_maker(tx, visit.table, held)
    visit.services.store.commit(tx)
