"""Clients of workers: what a program without a person signs in with, made by an admin for one agent.

It is given tokens of an hour for its secret or its signature, and what it may do ends where its key says.
"""

from collections.abc import Sequence
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any, NamedTuple

from forge.auth.keys import hash_of
from forge.context import UNRESTRICTED, KeyKind
from forge.errors import Forbidden, InvalidInput
from forge.jsontext import BadJson, decode
from forge.store.transactions import decided_again
from forge.wire.http import Response
from forge.work.record.log import events
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.api_keys import ClientOfKey
from forge.work.workspace.signins import client_keys
from forge.work.workspace.signins.client_keys import Granted
from functions.oauth import choices, clients, jwks
from functions.oauth.forms import Form, printable
from functions.oauth.pages import Markup, html, joined, page
from functions.oauth.persons import Person, person_of, require_own_page
from functions.oauth.scopes import DEFAULT
from functions.oauth.stored.clients import ClientItem
from functions.oauth.visits import OVERTAKEN, TRIES, Visit

WORKERS_PATH = "/oauth/workers"
DAYS = (30, 90, 365)
_MOST_NAME, _MOST_KEY = 60, 8_000


class WorkerOrder(NamedTuple):
    name: str
    agent_id: str
    days: int
    jwks: dict[str, Any] | None
    """Public keys, of one that signs; without them it gets a secret."""


def form(agents: Sequence[AgentItem]) -> Markup:
    options = joined(html('<option value="{id}">{name}</option>', id=one.id, name=one.name) for one in agents)
    days = joined(html('<option value="{days}">{days} days</option>', days=one) for one in DAYS)
    return html(
        """<h2>A program without a person</h2><form method="post" action="{path}"><section>
<label for="worker">Its name</label><input type="text" id="worker" name="name" maxlength="60" required>
<label for="agent">It acts as</label><select id="agent" name="agent">{agents}</select>
<label for="days">For how long</label><select id="days" name="days">{days}</select>
<label for="jwk">Its public key, as a JWK; left empty, it gets a secret</label>
<input type="text" id="jwk" name="jwk" autocomplete="off"><p></p><button>Make it</button></section></form>""",
        path=WORKERS_PATH,
        agents=options,
        days=days,
    )


def make(visit: Visit) -> Response:
    require_own_page(visit)
    person = person_of(visit)
    if person is None or not choices.may_mind_agents(person):
        raise Forbidden("Only admins make clients for workers, signed in with a key that has ADMIN.")
    visit.who = person.caller
    if person.sign_in.grants_end_at is not None:
        raise Forbidden("You signed in with a key that ends: what you make would go on.")
    order = ordered(visit.form())
    secret = None if order.jwks else token_urlsafe(32)
    client_id = f"fw_{token_urlsafe(12)}"
    decided_again(lambda: _made(visit, person, order, client_id, secret), tries=TRIES, spent=OVERTAKEN)
    return _shown(visit, client_id, secret)


def ordered(sent: Form) -> WorkerOrder:
    name = printable(sent.one("name"))
    if not 0 < len(name) <= _MOST_NAME:
        raise InvalidInput(f"Give it a name of at most {_MOST_NAME} characters.")
    if sent.one("days") not in {str(one) for one in DAYS}:
        raise InvalidInput("Choose for how long.")
    return WorkerOrder(name, sent.one("agent"), int(sent.one("days")), _jwks(sent.one("jwk").strip()))


def _jwks(text: str) -> dict[str, Any] | None:
    if not text:
        return None
    try:
        found = decode(text[:_MOST_KEY])
    except BadJson as error:
        raise InvalidInput("The public key is no JWK.") from error
    told = found.get("keys") if isinstance(found, dict) and "keys" in found else [found]
    keys: list[Any] = told if isinstance(told, list) else []
    usable = jwks.plain({"keys": keys})
    if usable is None or any(isinstance(one, dict) and "d" in one for one in keys):
        raise InvalidInput("The public key must be one of ES256, RS256, PS256 or EdDSA, and no private one.")
    return usable


def _made(visit: Visit, person: Person, order: WorkerOrder, client_id: str, secret: str | None) -> None:
    workspace_id, now = person.workspace.id, visit.services.now()
    holder = client_keys.find_holder(visit.table, workspace_id, None, order.agent_id or "-", since=now)
    if holder is None:
        raise InvalidInput("Choose an agent of this workspace that is not archived.")
    ends_at = now + timedelta(days=order.days)
    key_id = visit.services.new_id("key")
    client = ClientOfKey(id=client_id, name=order.name, resource=visit.ground.resource)
    scopes = DEFAULT & person.caller.scopes
    granted = Granted(
        *(key_id, workspace_id, None, order.agent_id, scopes, UNRESTRICTED, client, ends_at),
        kind=KeyKind.AGENT,
    )
    tx = visit.begin(person.caller, "oauth.workers")
    # Its first token is nobody's: the key is there, and tokens come with proofs.
    issued = client_keys.issue_first(tx, granted, holder)
    item = ClientItem(
        id=client_id,
        name=order.name,
        application_type="web",
        grant_types=[clients.CREDENTIALS],
        auth_method=clients.SIGNED if order.jwks else clients.SECRETS[0],
        secret_hash=hash_of(secret) if secret else None,
        jwks=order.jwks,
        created_at=now,
        ends_at=ends_at,
        is_used=True,
        key_id=key_id,
        workspace_id=workspace_id,
    )
    tx.create(item)
    events.record_change(tx, "key", key_id, action="create", after=issued.key)
    visit.services.store.commit(tx)


def _shown(visit: Visit, client_id: str, secret: str | None) -> Response:
    how = (
        html("<p>Its secret, shown this once: <code>{secret}</code></p>", secret=secret)
        if secret
        else html(
            "<p>It signs with its private key (private_key_jwt, aud {aud}).</p>", aud=visit.ground.issuer
        )
    )
    return page(
        "A client for a worker",
        html(
            """<section><p>Its id: <code>{id}</code></p>{how}
<p>It asks <code>{token}</code> with grant_type=client_credentials, and is given a token of an hour.</p>
</section><p><a href="/oauth/grants">What you let in</a></p>""",
            id=client_id,
            how=how,
            token=f"{visit.ground.issuer}/token",
        ),
    )
