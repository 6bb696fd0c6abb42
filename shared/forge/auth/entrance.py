"""The entrance every request passes: from the Authorization header to a Caller, or a clear refusal."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache, partial
from math import ceil
from typing import Any, Protocol

from forge.auth import keys, rates
from forge.auth.keys import KeyRecord
from forge.auth.sessions import session_of
from forge.auth.tokens import Tokens
from forge.context import Caller, Door, KeyKind, Role
from forge.contract.terms import Scope
from forge.errors import DomainError, Forbidden, RateLimited, ScopeRequired, Unauthorized

# See forge.wire.execution.
_AGENT, _PERSONAL = KeyKind.AGENT, KeyKind.PERSONAL
_OWNER, _ADMIN, _GUEST = Role.OWNER, Role.ADMIN, Role.GUEST
_ADMIN_SCOPE = frozenset({Scope.ADMIN.value})
_ADMIN_ROLES = frozenset({_OWNER, _ADMIN})
_BEARER_KEY = re.compile(rf"(?i:bearer) +({keys.WELL_FORMED}) *")
MOST_FOLLOWERS = 5
_GET_A_KEY = "An admin makes keys with keys.create; send it as `Authorization: Bearer forge_sk_…`."
_NEW_SESSION = "Begin a new one: an admin makes its key with keys.create, kind SESSION."


class WorkspaceEnds(Forbidden):
    """The key was stopped with its workspace, which only an owner can undo."""

    def __init__(self, record: KeyRecord, until: datetime) -> None:
        moment = until.isoformat(timespec="seconds")
        super().__init__(
            f"This workspace is being deleted; until {moment} that can be undone.",
            hint="An owner calls workspaces.restore, with any key of theirs that worked before.",
            details={"deletesAt": until.isoformat()},
        )
        self.record = record


Touch = tuple[KeyRecord | None, bool]
"""What one conditional write told about a key: its record, and whether the call was admitted and counted."""


class KeyStore(Protocol):
    def touch(self, key_hash: str, door: Door, now: datetime) -> Touch:
        """Count one call in the key's window and stamp its last use, atomically.

        Not admitted when the key is unknown, revoked, expired or over the door's limit; nothing is
        written then, and the record says which. Where it has a limit of its own or its workspace a ceiling,
        RateLimited is raised; WorkspaceEnds where that is being deleted.
        """

    def glance(
        self, key_hash: str, door: Door, now: datetime, *, beside: tuple[str, str]
    ) -> tuple[Touch, Mapping[str, Any] | None]:
        """Look at a key without counting or stamping anything, and in the same request at one item more.

        Not admitted for the same reasons, as far as the window stands without this call.
        """

    def take_place(self, key_hash: str, number: int, *, now: datetime, until: datetime) -> bool:
        """Take one of the places of a key's followers, if it is free; after `until` it is again."""

    def leave_place(self, key_hash: str, number: int, *, until: datetime) -> None:
        """Give a place back that was taken until then; somebody else's stays."""


class KeyCheck:
    def __init__(self, store: KeyStore, tokens: Tokens, resource: str = "") -> None:
        """`resource` is the address that is guarded: a client's token that is for another opens nothing."""
        self._store = store
        self._tokens = tokens
        self._resource = resource

    def admit(self, headers: Mapping[str, str], door: Door, now: datetime) -> Caller:
        """The caller behind these headers, its call counted; else why not."""
        header = headers.get("authorization", "")
        key_hash = _hash_of_key(header)
        is_token = key_hash is None
        record, admitted = self._store.touch(key_hash or self._key_hash_of_token(header, now), door, now)
        if record is None or not admitted:
            raise _refusal(record, door, now)
        if record.resource is not None and record.resource != self._resource:
            raise _for_another()
        return _caller_of(record, record.session_id or session_of(headers, record.id), is_token)

    def admit_known(self, key_hash: str, door: Door, now: datetime) -> Caller:
        """The same for a key that somebody else vouches for, as a browser's sign-in does."""
        record, admitted = self._store.touch(key_hash, door, now)
        if record is None or not admitted:
            raise _refusal(record, door, now)
        return _caller_of(record, record.session_id or session_of({}, record.id), is_token=False)

    def admit_rescuer(self, headers: Mapping[str, str], door: Door, now: datetime) -> Caller:
        """The same for what is about the end of a workspace: also an owner whose key was stopped for it."""
        try:
            return self.admit(headers, door, now)
        except WorkspaceEnds as refusal:
            record = refusal.record
            if record.role is not _OWNER or record.kind is _AGENT:
                raise
            if record.resource not in (None, self._resource):
                raise _for_another() from None
            is_token = _hash_of_key(headers["authorization"]) is None
            return _user_caller(record, session_of(headers, record.id), is_token)

    def glance(
        self, headers: Mapping[str, str], door: Door, now: datetime, *, beside: tuple[str, str]
    ) -> tuple[Caller, Mapping[str, Any] | None]:
        """The caller without its call being counted, and the item beside its key, which they share a request.

        For whoever asks again and again whether something has happened; its narrowing is not to be relied on.
        """
        header = headers.get("authorization", "")
        key_hash = _hash_of_key(header)
        is_token = key_hash is None
        known = key_hash or self._key_hash_of_token(header, now)
        (record, admitted), row = self._store.glance(known, door, now, beside=beside)
        if record is None or not admitted:
            raise _refusal(record, door, now)
        if record.resource is not None and record.resource != self._resource:
            raise _for_another()
        return _caller_of(record, record.session_id or session_of(headers, record.id), is_token), row

    def key_hash_of(self, headers: Mapping[str, str], now: datetime) -> str:
        """The key that was sent or that a token stands for, the same however the header is written."""
        header = headers.get("authorization", "")
        return _hash_of_key(header) or self._key_hash_of_token(header, now)

    def follow(self, headers: Mapping[str, str], now: datetime, *, seconds: float) -> Callable[[], None]:
        """A place for one more follower of a key that was admitted; what is returned gives it back."""
        key_hash = self.key_hash_of(headers, now)
        until = now + timedelta(seconds=seconds)
        for number in range(MOST_FOLLOWERS):
            if self._store.take_place(key_hash, number, now=now, until=until):
                return partial(self._store.leave_place, key_hash, number, until=until)
        raise RateLimited(
            f"{MOST_FOLLOWERS} already follow events with this key.",
            hint="End one of them, follow more with one, or use a key for each.",
            retry_after_seconds=ceil(seconds),
        )

    def _key_hash_of_token(self, header: str, now: datetime) -> str:
        scheme, _, credential = header.partition(" ")
        if not header:
            raise Unauthorized("No API key was sent.", hint=_GET_A_KEY, key_was_sent=False)
        if scheme.lower() != "bearer" or not credential.isascii():
            raise Unauthorized("The Authorization header must be `Bearer` and a key.", hint=_GET_A_KEY)
        if credential.count(".") == 2:
            return self._tokens.key_hash_of(credential.strip(), now)
        raise _no_key(credential.strip())


def _no_key(credential: str) -> Unauthorized:
    """Why it can't be a key, without a word of it."""
    if not credential.startswith(keys.RAW_PREFIX):
        return Unauthorized("This is not a Forge API key: they start with forge_sk_.", hint=_GET_A_KEY)
    length = len(credential)
    if length < keys.RAW_LENGTH:
        why = f"This API key is cut off: it has {length} of {keys.RAW_LENGTH} characters."
    elif length > keys.RAW_LENGTH:
        why = f"This API key is too long: it has {length} characters instead of {keys.RAW_LENGTH}."
    else:
        why = "This API key has characters that no key has."
    return Unauthorized(why, hint="Copy the whole key again, without quotes or spaces around it.")


# A tenth of a call without it. It admits nobody: the store is asked each time, and the process that keeps
# these few headers has just been sent them.
@lru_cache(maxsize=64)
def _hash_of_key(header: str) -> str | None:
    well_formed = _BEARER_KEY.fullmatch(header)
    return keys.hash_of(well_formed[1]) if well_formed else None


def require_scopes(caller: Caller, scopes: tuple[str, ...], tool: str) -> None:
    """Every scope must literally be there: ADMIN implies no other."""
    for scope in scopes:
        if scope not in caller.scopes:
            if scope == Scope.ADMIN and caller.role is not None and caller.role not in _ADMIN_ROLES:
                raise _no_admin(tool, caller.role)
            raise ScopeRequired(
                f"{tool} needs the scope {scope}, which this key does not have.",
                hint="Use a key with that scope; an admin makes one with keys.create.",
                details={"scope": scope},
            )


def _no_admin(tool: str, role: Role) -> Forbidden:
    """Of a scope that the key may well have, and that counts for nothing without the role."""
    return Forbidden(
        f"{tool} is for owners and admins of the workspace, and the owner of this key is a {role}.",
        hint="The scope ADMIN counts only with such a role, which an owner gives with members.setRole.",
        details={"scope": Scope.ADMIN.value, "role": role.value},
    )


def _refusal(record: KeyRecord | None, door: Door, now: datetime) -> DomainError:
    if record is None:
        return Unauthorized("This API key is not known here.", hint=_GET_A_KEY)
    if not record.is_member:
        return _no_member()
    if record.revoked_at is not None:
        return Unauthorized("This API key was revoked.", hint=_GET_A_KEY)
    if record.expires_at is not None and record.expires_at <= now:
        if record.kind is KeyKind.SESSION:
            return Unauthorized("This session has ended: its key has expired.", hint=_NEW_SESSION)
        return Unauthorized("This API key has expired.", hint=_GET_A_KEY)
    return limited(f"More than {rates.LIMITS[door]} calls in this minute with this key.", now)


def limited(why: str, now: datetime) -> RateLimited:
    wait = rates.seconds_to_next(now)
    return RateLimited(
        why,
        hint=f"Wait {wait} s, then go on. Batches and lists with more rows need fewer calls.",
        retry_after_seconds=wait,
    )


def _for_another() -> Unauthorized:
    return Unauthorized(
        "This token was given to a client for another address.",
        hint="A client uses it where it signed in; a key works everywhere.",
    )


def _no_member() -> Forbidden:
    return Forbidden("The owner of this API key is no longer a member of its workspace.")


def _caller_of(record: KeyRecord, session_id: str, is_token: bool) -> Caller:
    if record.kind is _AGENT or record.run_id is not None:
        return _agent_caller(record, session_id, is_token, record.scopes)
    return _user_caller(record, session_id, is_token)


def _agent_caller(record: KeyRecord, session_id: str, is_token: bool, scopes: frozenset[str]) -> Caller:
    """The caller of an agent's key, which holds also when the person who made it has left."""
    return Caller(
        record.id,
        record.workspace_id,
        record.kind,
        scopes,
        session_id,
        agent_id=record.linked_agent_id,
        narrowing=record.narrowing,
        expires_at=record.expires_at,
        is_token=is_token,
        is_archived=record.is_archived,
        log_shards=record.log_shards,
        log_spread=record.log_spread,
        run_id=record.run_id,
        run_issue_id=record.run_issue_id,
    )


def _user_caller(record: KeyRecord, session_id: str, is_token: bool) -> Caller:
    if not record.is_member:
        raise _no_member()
    scopes = record.scopes
    if record.role is _GUEST and (record.is_browsers or record.resource is not None):
        # Whoever has signed in, or lets a client in, may what they may now; a key may what it says.
        scopes = frozenset(scope for scope in scopes if scope.startswith("READ_"))
    if record.linked_agent_id is not None:
        if record.resource is None:
            raise Unauthorized(
                "This API key is malformed: a user's key can't be linked to an agent.", hint=_GET_A_KEY
            )
        # A client acts as an agent, for as long as whoever let it does belong here.
        return _agent_caller(record, session_id, is_token, scopes)
    # Who is not an admin any more has no ADMIN scope any more either.
    if not (record.role is _OWNER or record.role is _ADMIN):
        scopes -= _ADMIN_SCOPE
    kind, ends_at = record.kind, record.expires_at
    if record.is_browsers:
        # In their browser somebody can do what they can do with what they showed there.
        kind, ends_at = _PERSONAL, record.gives_until
    # By position: names would take a third longer.
    return Caller(
        record.id,
        record.workspace_id,
        kind,
        scopes,
        session_id,
        record.user_id,
        record.role,
        None,
        record.narrowing,
        ends_at,
        is_token,
        False,
        record.log_shards,
        record.log_spread,
    )
