"""`/oauth/register`: a client makes itself known (RFC 7591). That gives it nothing but a name to ask by.

By hand, because the library takes a client without a method for one with a secret, refuses addresses of
programs, and goes by a clock of its own.
"""

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Any, NamedTuple

from forge.auth.keys import hash_of
from forge.jsontext import BadJson
from forge.wire.bodies import read_json
from forge.wire.http import Response
from functions.oauth import clients, redirects, replies
from functions.oauth.forms import printable
from functions.oauth.stored import windows
from functions.oauth.stored.clients import UNUSED_FOR, ClientItem
from functions.oauth.visits import Visit, nobody

_MOST_NAME, _MOST_URI, _MOST_REDIRECTS, _MOST_BODY = 200, 500, 20, 20_000
_GRANTS = (clients.CODE, clients.REFRESH)
_ECHOED = ("client_uri", "logo_uri", "tos_uri", "policy_uri", "software_id", "software_version")
_TYPES = ("web", "native")


class Unregistered(Exception):
    def __init__(self, error: str, why: str) -> None:
        super().__init__(why)
        self.error = error
        self.why = why


class Wanted(NamedTuple):
    name: str
    redirect_uris: list[str]
    application_type: str
    grant_types: list[str]
    auth_method: str
    scope: str
    echoed: dict[str, str]


def register(visit: Visit) -> Response:
    try:
        wanted = wanted_in(_body(visit))
    except Unregistered as refusal:
        return replies.refused(visit, refusal.error, refusal.why)
    now = visit.services.now()
    windows.take(visit.table, "registrations", visit.address, now)
    secret = token_urlsafe(32) if wanted.auth_method in clients.SECRETS else None
    item = ClientItem(
        id=f"fc_{token_urlsafe(18)}",
        name=wanted.name,
        redirect_uris=wanted.redirect_uris,
        application_type=wanted.application_type,
        grant_types=wanted.grant_types,
        auth_method=wanted.auth_method,
        secret_hash=hash_of(secret) if secret else None,
        created_at=now,
        ends_at=now + UNUSED_FOR,
    )
    tx = visit.begin(nobody(), "oauth.register")
    tx.create(item)
    visit.services.store.commit(tx)
    return replies.given(_told(item, wanted, secret), status=201)


def wanted_in(told: Mapping[str, Any]) -> Wanted:
    """What a client says of itself, if it can be such a one; else Unregistered."""
    uris = _redirects(told)
    method = told.get("token_endpoint_auth_method", "none")
    if method not in ("none", *clients.SECRETS):
        raise _no("token_endpoint_auth_method must be none or a secret's; an admin registers who signs.")
    responses = told.get("response_types", ["code"])
    if responses != ["code"]:
        raise _no("response_types must be code alone.")
    return Wanted(
        _text(told, "client_name", _MOST_NAME) or "A client without a name",
        uris,
        _application_type(told, uris),
        _grant_types(told),
        method,
        _text(told, "scope", _MOST_URI),
        {name: found for name in _ECHOED if (found := _text(told, name, _MOST_URI))},
    )


def _body(visit: Visit) -> Mapping[str, Any]:
    if len(visit.request.body) > _MOST_BODY:
        raise _no("The body must be short.")
    try:
        told = read_json(visit.request)
    except BadJson as error:
        raise _no(f"The body is not valid JSON: {error}.") from error
    if not isinstance(told, dict):
        raise _no("The body must be a JSON object.")
    return told


def _redirects(told: Mapping[str, Any]) -> list[str]:
    uris = told.get("redirect_uris")
    if not isinstance(uris, list) or not 0 < len(uris) <= _MOST_REDIRECTS:
        raise Unregistered("invalid_redirect_uri", f"redirect_uris must be 1 to {_MOST_REDIRECTS} addresses.")
    for uri in uris:
        problem = redirects.problem_with(uri) if isinstance(uri, str) else "It must be text."
        if problem:
            raise Unregistered("invalid_redirect_uri", problem)
    return uris


def _application_type(told: Mapping[str, Any], uris: list[str]) -> str:
    said = told.get("application_type")
    if said is None:
        # As the addresses show; clients seldom say.
        return "web" if all(one.startswith("https:") for one in uris) else "native"
    if said not in _TYPES:
        raise _no("application_type must be web or native.")
    if said == "web" and not all(one.startswith("https:") for one in uris):
        raise Unregistered(
            "invalid_redirect_uri", "A web application is led to https alone; others are native."
        )
    return str(said)


def _grant_types(told: Mapping[str, Any]) -> list[str]:
    asked = told.get("grant_types", [*_GRANTS])
    if not isinstance(asked, list) or any(not isinstance(one, str) for one in asked):
        raise _no("grant_types must be a list.")
    kept = [one for one in _GRANTS if one in asked]
    if clients.CODE not in kept:
        raise _no("grant_types must hold authorization_code; an admin registers who needs no person.")
    return kept


def _text(told: Mapping[str, Any], name: str, most: int) -> str:
    found = told.get(name, "")
    if not isinstance(found, str) or len(found) > most:
        raise _no(f"{name} must be text of at most {most} characters.")
    return printable(found)


def _no(why: str) -> Unregistered:
    return Unregistered("invalid_client_metadata", why)


def _told(item: ClientItem, wanted: Wanted, secret: str | None) -> dict[str, object]:
    return {
        "client_id": item.id,
        "client_id_issued_at": int(item.created_at.timestamp()),
        **({"client_secret": secret, "client_secret_expires_at": 0} if secret else {}),
        "client_name": item.name,
        "redirect_uris": item.redirect_uris,
        "grant_types": item.grant_types,
        "response_types": ["code"],
        "token_endpoint_auth_method": item.auth_method,
        "application_type": item.application_type,
        **({"scope": wanted.scope} if wanted.scope else {}),
        **wanted.echoed,
    }
