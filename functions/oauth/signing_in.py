"""The page on which a person signs in, by a key of theirs; other ways put a button on it."""

import re
from collections.abc import Callable, Sequence

from forge.auth.keys import WELL_FORMED
from forge.context import Caller, Door
from forge.errors import Forbidden, Unauthorized
from forge.store.transactions import decided_again
from forge.wire.http import Response
from forge.work.record.log import events
from forge.work.workspace.people import api_keys
from forge.work.workspace.people.api_keys import ApiKeyItem, Copied
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.signins import signins
from forge.work.workspace.signins.signins import Proof, SignedIn, Way
from forge.work.workspace.workspaces import WorkspaceItem
from functions.oauth.pages import Markup, html, joined, page, sent_on
from functions.oauth.persons import SIGN_IN_PATH, Person, cookie_of, person_of
from functions.oauth.visits import TRIES, Visit, new_secret

_HOME = "/oauth/grants"
_ONWARD = re.compile(r"/(oauth|console)(/[!-~]*|\?[!-~]*)?")
_KEY = re.compile(WELL_FORMED)

Button = Callable[[Visit, str], Markup]
"""Another way to sign in, as a form of its own; given where it leads to afterwards."""
BUTTONS: list[Button] = []


def show(visit: Visit) -> Response:
    return sign_in_page(visit, next_path(visit.request.query.get("next", "")))


def sign_in_page(visit: Visit, onward: str, *, refused: str = "", status: int = 200) -> Response:
    parts = [html('<p class="bad" role="alert">{why}</p>', why=refused)] if refused else []
    parts.append(
        html(
            """<form method="post" action="{action}"><section>
<label for="key">A key of yours</label>
<input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required
 placeholder="forge_sk_…">
<p class="faint">It is used this once. The browser keeps a session, which <code>keys.list</code> shows as
Browser and which ends by itself.</p>
<input type="hidden" name="next" value="{onward}"><button class="main">Sign in</button></section></form>""",
            action=SIGN_IN_PATH,
            onward=onward,
        )
    )
    parts += [button(visit, onward) for button in BUTTONS]
    return page("Sign in", joined(parts), status=status)


def sign_in(visit: Visit) -> Response:
    """By a key: what the browser then may do is what the key may."""
    visit.require_own_page()
    form = visit.form()
    onward = next_path(one(form.get("next", ())))
    try:
        begun = _begun(visit, one(form.get("key", ())).strip())
    except (Unauthorized, Forbidden) as error:
        visit.outcome = error.code.value
        return sign_in_page(visit, onward, refused=error.message, status=error.wire.http_status)
    return sent_on(onward, {"set-cookie": cookie_of(visit, begun)})


def sign_out(visit: Visit) -> Response:
    """The key of the sign-in ends with it."""
    visit.require_own_page()
    person = person_of(visit)
    if person is not None:
        decided_again(lambda: _end(visit, person), tries=TRIES)
    return sent_on(SIGN_IN_PATH, {"set-cookie": cookie_of(visit, None)})


def next_path(given: str) -> str:
    """Where somebody was on the way to: a page of ours, and nothing that a browser reads as another host."""
    return given if _ONWARD.fullmatch(given) and "\\" not in given else _HOME


def one(values: Sequence[str]) -> str:
    """What a form says once; nothing where it says it twice."""
    return values[0] if len(values) == 1 else ""


def _begun(visit: Visit, raw: str) -> SignedIn:
    if not _KEY.fullmatch(raw):
        raise Unauthorized("This is not a whole key: they start with forge_sk_ and have 52 characters.")
    caller = visit.gate.admit({"authorization": f"Bearer {raw}"}, Door.REST, visit.services.now())
    if caller.user_id is None or caller.agent_id is not None:
        raise Forbidden("This key is an agent's: a person signs in with a key of their own.")
    secret = new_secret()
    return decided_again(lambda: _signed_in(visit, caller, secret), tries=TRIES)


def _signed_in(visit: Visit, caller: Caller, secret: str) -> SignedIn:
    places = (
        MemberItem.at(caller.workspace_id, str(caller.user_id)),
        ApiKeyItem.at(caller.workspace_id, caller.key_id),
        WorkspaceItem.at(caller.workspace_id),
    )
    known = visit.table.read(places)
    member, own = known.find(MemberItem, places[0]), known.find(ApiKeyItem, places[1])
    workspace = known.find(WorkspaceItem, places[2])
    if member is None or workspace is None:
        raise Forbidden("The owner of this API key is no longer a member of its workspace.")
    tx = visit.begin(caller, "oauth.sign-in")
    copied = Copied(workspace.calls_per_minute, workspace.log_shards)
    proof = Proof(member, Way.KEY, caller, own.rate_per_minute if own else None, copied)
    begun = signins.begin(tx, proof, secret)
    visit.services.store.commit(tx)
    return begun


def _end(visit: Visit, person: Person) -> None:
    held = api_keys.open_held(visit.table, person.workspace.id, person.sign_in.key_id)
    if held.item.revoked_at is not None:
        return
    tx = visit.begin(person.caller, "oauth.sign-out")
    revoked = api_keys.revoke(tx, held)
    events.record_change(tx, "key", revoked.id, action="revoke", before=held.item, after=revoked)
    visit.services.store.commit(tx)
