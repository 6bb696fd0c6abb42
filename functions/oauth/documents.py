"""Clients whose id is the address of a document about them (Client ID Metadata Documents).

It is fetched through the one way out, which leads to no private address: without redirects, for some seconds,
and no more of it than such a document needs. What was fetched is kept for a while, as is that nothing was.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from forge.jsontext import BadJson, decode, encode
from forge.outbound.addresses import Disallowed
from forge.outbound.orders import AnswerLimits, Order, Reply, Unreachable
from forge.outbound.outbound import Outbound
from functions.oauth import jwks, redirects
from functions.oauth.forms import printable
from functions.oauth.stored import windows
from functions.oauth.stored.documents import DocumentItem
from functions.oauth.visits import Visit, nobody

MOST_BYTES = 10 * 1024
_MOST_URL, _MOST_NAME, _MOST_REDIRECTS = 500, 200, 20
_LIMITS = AnswerLimits(seconds=5.0, bytes=MOST_BYTES + 1, redirects=0)
_LEAST, _USUAL, _MOST = timedelta(minutes=5), timedelta(hours=1), timedelta(days=1)
_AFTER_A_FAILURE = timedelta(minutes=1)
_DOES_FOR = timedelta(days=1)
"""So long after that an old one does where its server is out of reach: who was let in is not sent away."""
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age=([0-9]{1,9})")
_METHODS = ("none", "private_key_jwt")


class Unusable(Exception):
    """Why a document says nothing that can be used; for our log, and for nobody else."""


class SiteAway(Unusable):
    """Its server says nothing for now, neither that it is there nor that it is not."""


def is_address(client_id: str) -> bool:
    return client_id.startswith("https://")


def find(visit: Visit, client_id: str) -> DocumentItem | None:
    """What the client says of itself; None where that can't be had, whyever."""
    if not visit.has_way_out or not _is_well_formed(client_id):
        return None
    now = visit.services.now()
    place = sha256(client_id.encode()).hexdigest()
    found = visit.table.find(DocumentItem, DocumentItem.at(place))
    if found is None or found.fresh_until <= now:
        if found is None or found.problem:
            windows.take(visit.table, "documents", visit.address, now)
        found = _fetched(visit.services.outbound, client_id, place, now, before=found)
        tx = visit.begin(nobody(), "oauth.document")
        tx.overwrite(found)
        visit.services.store.commit(tx)
    return None if found.problem else found


def _fetched(
    outbound: Outbound, client_id: str, place: str, now: datetime, *, before: DocumentItem | None
) -> DocumentItem:
    try:
        reply = _asked(outbound, client_id)
        told = _read(client_id, reply)
        keys = _keys_of(outbound, told)
    except Unusable as failure:
        again_at = now + _AFTER_A_FAILURE
        if isinstance(failure, SiteAway) and before and not before.problem and now < before.does_until:
            return before.changed(fresh_until=again_at)
        return DocumentItem(
            place=place,
            client_id=client_id,
            digest="",
            name="",
            redirect_uris=[],
            problem=str(failure)[:200],
            fresh_until=again_at,
            does_until=again_at,
        )
    name = _name(told) or str(urlsplit(client_id).hostname)
    method = told.get("token_endpoint_auth_method", "none")
    # What a person is shown, and what decides where an answer goes.
    shown = encode([name, told["redirect_uris"], method, keys])
    fresh_until = now + _freshness(reply.headers)
    return DocumentItem(
        place=place,
        client_id=client_id,
        digest=sha256(shown.encode()).hexdigest(),
        name=name,
        redirect_uris=told["redirect_uris"],
        auth_method=method,
        jwks=keys,
        fresh_until=fresh_until,
        does_until=fresh_until + _DOES_FOR,
    )


def _asked(outbound: Outbound, url: str) -> Reply:
    try:
        reply = outbound.send(Order(url, headers={"Accept": "application/json"}), limits=_LIMITS)
    except Unreachable as failure:
        raise SiteAway(str(failure)) from failure
    except Disallowed as failure:
        raise Unusable(str(failure)) from failure
    if reply.status >= 500 or reply.status == 429:
        raise SiteAway(f"status {reply.status}")
    if reply.status != 200 or len(reply.body) > MOST_BYTES:
        raise Unusable(f"status {reply.status}, {len(reply.body)} bytes")
    kind = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise Unusable(f"it is {kind[:40] or 'of no type'}")
    return reply


def _read(client_id: str, reply: Reply) -> Mapping[str, Any]:
    try:
        told = decode(reply.body.decode())
    except (BadJson, UnicodeDecodeError) as failure:
        raise Unusable("it is no JSON") from failure
    if not isinstance(told, dict) or told.get("client_id") != client_id:
        raise Unusable("it is about another client")
    uris = told.get("redirect_uris")
    if not isinstance(uris, list) or not 0 < len(uris) <= _MOST_REDIRECTS:
        raise Unusable("its redirect_uris are no list of addresses")
    if any(not isinstance(uri, str) or redirects.problem_with(uri) for uri in uris):
        raise Unusable("one of its redirect_uris is none")
    if told.get("token_endpoint_auth_method", "none") not in _METHODS or "client_secret" in told:
        raise Unusable("it would need a shared secret")
    return told


def _keys_of(outbound: Outbound, told: Mapping[str, Any]) -> dict[str, Any] | None:
    """Its public keys, where it signs: in the document, or at an address of the same host."""
    if told.get("token_endpoint_auth_method", "none") == "none":
        return None
    found = told.get("jwks")
    address = told.get("jwks_uri")
    if found is None and isinstance(address, str):
        if urlsplit(address).netloc != urlsplit(str(told["client_id"])).netloc or not is_address(address):
            raise Unusable("its keys are elsewhere")
        try:
            found = decode(_asked(outbound, address).body.decode())
        except (BadJson, UnicodeDecodeError) as failure:
            raise Unusable("its keys are no JSON") from failure
    keys = jwks.plain(found)
    if keys is None:
        raise Unusable("it signs, and has no keys")
    return keys


def _name(told: Mapping[str, Any]) -> str:
    said = told.get("client_name")
    return printable(said)[:_MOST_NAME] if isinstance(said, str) else ""


def _is_well_formed(client_id: str) -> bool:
    if len(client_id) > _MOST_URL or not client_id.isascii() or not client_id.isprintable():
        return False
    try:
        parts = urlsplit(client_id)
    except ValueError:
        return False
    has_dots = any(part in (".", "..") for part in parts.path.split("/"))
    is_plain = not (parts.fragment or "#" in client_id or "@" in parts.netloc or has_dots)
    return parts.scheme == "https" and len(parts.path) > 1 and is_plain


def _freshness(headers: Mapping[str, str]) -> timedelta:
    """As the document's server says, within bounds."""
    said = _MAX_AGE.search(headers.get("cache-control", "").lower())
    return max(_LEAST, min(_MOST, timedelta(seconds=int(said[1])))) if said else _USUAL
