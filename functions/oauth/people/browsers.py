"""What a browser is given when its person is signed in, and what it gives back when they leave."""

from forge.context import Caller, KeyKind
from forge.errors import DomainError
from forge.store.transactions import decided_again
from forge.wire import cookies
from forge.work.record.log import events
from forge.work.workspace.people import api_keys
from forge.work.workspace.people.api_keys import ApiKeyItem
from forge.work.workspace.signins import revocations
from forge.work.workspace.signins.signins import SignedIn
from functions.oauth.persons import cookie_of, person_of
from functions.oauth.visits import OVERTAKEN, TRIES, Visit


def cookies_of(visit: Visit, begun: SignedIn) -> str:
    """For these pages, and, where there is single sign-on, for the console."""
    own = cookie_of(visit, begun)
    if visit.sso is None:
        return own
    left = begun.item.expires_at - visit.services.now()
    seconds = int(left.total_seconds())
    return f"{own}\n{cookies.given(begun.raw_key, seconds, is_secure=visit.is_secure)}"


def no_cookies(visit: Visit) -> str:
    return f"{cookie_of(visit, None)}\n{cookies.taken(is_secure=visit.is_secure)}"


def end_former(visit: Visit) -> None:
    """Whoever signs in anew in the same browser leaves no session behind."""
    try:
        person = person_of(visit)
        if person is not None:
            end_key(visit, person.caller)
    except DomainError:
        # It ends by itself, too; the new one is there.
        return


def end_key(visit: Visit, caller: Caller) -> None:
    """The key of a session ends, and with it every cookie that stands for it."""
    decided_again(lambda: _end(visit, caller), tries=TRIES, spent=OVERTAKEN)


def _is_browsers(key: ApiKeyItem) -> bool:
    """Whoever holds another key may write it into a cookie: that ends nothing."""
    return key.kind is KeyKind.SESSION and key.linked_agent_id is None and key.client is None


def _end(visit: Visit, caller: Caller) -> None:
    held = api_keys.open_held(visit.table, caller.workspace_id, caller.key_id)
    if held.item.revoked_at is not None or not _is_browsers(held.item):
        return
    tx = visit.begin(caller, "oauth.sign-out")
    revoked = revocations.revoke(tx, held)
    events.record_change(tx, "key", revoked.id, action="revoke", before=held.item, after=revoked)
    visit.services.store.commit(tx)
