"""API keys: their format, what is stored of them, and how long they live."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from forge.context import UNRESTRICTED, KeyKind, Narrowing, Role
from forge.contract.terms import Scope
from forge.errors import InvalidInput
from forge.values import Value

RAW_PREFIX = "forge_sk_"
_SECRET_LENGTH = 43
RAW_LENGTH = len(RAW_PREFIX) + _SECRET_LENGTH
WELL_FORMED = f"{RAW_PREFIX}[A-Za-z0-9_-]{{{_SECRET_LENGTH}}}"
MAX_NARROWING_IDS = 50

SECRET_BYTES = 32
_DISPLAY_LENGTH = len(RAW_PREFIX) + 8


_DAYS = range(1, 366)
_SESSION_HOURS = range(1, 169)
_DEFAULT_SESSION_HOURS = 24


class KeyRecord(Value):
    """A stored key with all that authentication needs, so that one read is enough.

    `role` and `is_member` are copies of the owner's membership, `is_archived` is one of the linked agent;
    whoever changes those rewrites them.
    """

    id: str
    key_hash: str
    kind: KeyKind
    workspace_id: str
    scopes: frozenset[str]
    user_id: str | None = None
    role: Role | None = None
    is_member: bool = True
    linked_agent_id: str | None = None
    is_archived: bool = False
    narrowing: Narrowing = UNRESTRICTED
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    log_shards: int = 1
    log_spread: int = 1
    run_id: str | None = None
    run_issue_id: str | None = None
    session_id: str | None = None
    """Of a run's key, the session that works on the run, whatever a header says."""
    resource: str | None = None
    """Of a token that a client was given, the one address that it is good for."""
    is_browsers: bool = False
    """Whether it stands for the person who signed in: what they make there may last."""
    gives_until: datetime | None = None
    """Of a browser's, when what it makes ends at the latest: with the key that was shown; None for never."""


class KeyOfRun(NamedTuple):
    """What a key is for that is made for one run."""

    run_id: str
    issue_id: str
    session_id: str
    ends_at: datetime


class KeyOfClient(NamedTuple):
    """What a key is for that a client is given as its access token."""

    resource: str
    ends_at: datetime
    secret: bytes | None = None
    """What it is made of, where the same answer must be found again; random unless given."""


class KeyOfBrowser(NamedTuple):
    """What a key is for that a browser keeps, for a person who proved who they are with what may last."""

    gives_until: datetime | None


class KeyOrder(NamedTuple):
    """What somebody asks for who wants a new key."""

    name: str
    kind: KeyKind
    workspace_id: str
    scopes: Iterable[Scope]
    user_id: str | None = None
    role: Role | None = None
    linked_agent_id: str | None = None
    narrowing: Narrowing = UNRESTRICTED
    expires_in_days: int | None = None
    ttl_hours: int | None = None
    latest: datetime | None = None
    """When it ends at the latest, unless a lifetime is asked for; None for never."""
    of_run: KeyOfRun | None = None
    of_client: KeyOfClient | None = None
    of_browser: KeyOfBrowser | None = None


class Minted(NamedTuple):
    raw: str
    """Shown once and never stored."""
    prefix: str
    """What lists show, so that people recognise a key."""
    record: KeyRecord


def mint(order: KeyOrder, *, key_id: str, now: datetime) -> Minted:
    """A new key as ordered, or InvalidInput."""
    # Only here: the router checks keys, but makes none.
    from base64 import urlsafe_b64encode
    from secrets import token_bytes

    _require_coherent(order)
    given = order.of_client.secret if order.of_client else None
    raw = RAW_PREFIX + urlsafe_b64encode(given or token_bytes(SECRET_BYTES)).rstrip(b"=").decode()
    record = KeyRecord(
        id=key_id,
        key_hash=hash_of(raw),
        kind=order.kind,
        workspace_id=order.workspace_id,
        scopes=frozenset(scope.value for scope in order.scopes),
        user_id=order.user_id,
        role=order.role,
        linked_agent_id=order.linked_agent_id,
        narrowing=order.narrowing,
        expires_at=_expiry(order, now),
        run_id=order.of_run.run_id if order.of_run else None,
        run_issue_id=order.of_run.issue_id if order.of_run else None,
        session_id=order.of_run.session_id if order.of_run else None,
        resource=order.of_client.resource if order.of_client else None,
        is_browsers=order.of_browser is not None,
        gives_until=order.of_browser.gives_until if order.of_browser else None,
    )
    return Minted(raw, raw[:_DISPLAY_LENGTH], record)


def hash_of(raw: str) -> str:
    return sha256(raw.encode()).hexdigest()


def _require_coherent(order: KeyOrder) -> None:
    issues = {}
    is_made_for = order.of_run is not None or order.of_client is not None
    is_agents = order.kind is KeyKind.AGENT or (order.kind is KeyKind.SESSION and is_made_for)
    if not is_agents and order.linked_agent_id is not None:
        issues["linkedAgentId"] = "Only a key of kind AGENT can be linked to an agent."
    if not is_agents and not order.user_id:
        issues["userId"] = f"A {order.kind} key belongs to a user."
    narrowing = order.narrowing
    if len(frozenset().union(*narrowing)) > MAX_NARROWING_IDS:
        issues["projectIds"] = f"A key can be narrowed to at most {MAX_NARROWING_IDS} ids in all."
    if issues:
        raise InvalidInput("This key can't be made.", issues=issues)


def _expiry(order: KeyOrder, now: datetime) -> datetime | None:
    if order.of_run is not None:
        return order.of_run.ends_at
    if order.of_client is not None:
        return order.of_client.ends_at
    if order.kind is KeyKind.SESSION:
        if order.expires_in_days is not None:
            raise _bad_lifetime("expiresInDays", "A SESSION key takes ttlHours instead.")
        if order.ttl_hours is None:
            return _earlier(now + timedelta(hours=_DEFAULT_SESSION_HOURS), order.latest)
        if order.ttl_hours not in _SESSION_HOURS:
            raise _bad_lifetime("ttlHours", "Give 1 to 168 hours.")
        return now + timedelta(hours=order.ttl_hours)
    if order.ttl_hours is not None:
        raise _bad_lifetime("ttlHours", f"A {order.kind} key takes expiresInDays instead.")
    if order.expires_in_days is None:
        return order.latest
    if order.expires_in_days not in _DAYS:
        raise _bad_lifetime("expiresInDays", "Give 1 to 365 days.")
    return now + timedelta(days=order.expires_in_days)


def _earlier(moment: datetime, latest: datetime | None) -> datetime:
    return moment if latest is None else min(moment, latest)


def _bad_lifetime(field: str, message: str) -> InvalidInput:
    return InvalidInput("This key can't be made.", issues={field: message})
