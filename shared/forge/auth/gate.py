"""The gate every request passes: from the Authorization header to a Caller, or a clear refusal."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple, Protocol

from forge.auth import keys, rates
from forge.auth.keys import KeyRecord
from forge.auth.sessions import session_of
from forge.auth.tokens import Tokens
from forge.context import Caller, Door, KeyKind, Role
from forge.contract.terms import Scope
from forge.errors import DomainError, Forbidden, RateLimited, ScopeRequired, Unauthorized

_ADMIN_ROLES = frozenset({Role.OWNER, Role.ADMIN})
_GET_A_KEY = "An admin makes keys with keys.create; send it as `Authorization: Bearer forge_sk_…`."


class Touch(NamedTuple):
    """What one conditional write told about a key: its record, and whether the call was counted."""

    record: KeyRecord | None
    admitted: bool


class KeyStore(Protocol):
    def touch(self, key_hash: str, door: Door, now: datetime) -> Touch:
        """Count one call in the key's window and stamp its last use, atomically.

        Not admitted when the key is unknown, revoked, expired or over the door's limit; nothing is
        written then, and the record says which.
        """


class Gate:
    def __init__(self, store: KeyStore, tokens: Tokens, now: Callable[[], datetime]) -> None:
        self._store = store
        self._tokens = tokens
        self._now = now

    def admit(self, headers: Mapping[str, str], door: Door) -> Caller:
        """The caller behind these headers, its call counted; else why not."""
        now = self._now()
        record, admitted = self._store.touch(self._key_hash(headers, now), door, now)
        if record is None or not admitted:
            raise _refusal(record, door, now)
        _require_usable(record)
        is_user_key = record.kind is not KeyKind.AGENT
        return Caller(
            key_id=record.id,
            workspace_id=record.workspace_id,
            kind=record.kind,
            scopes=_effective_scopes(record),
            session_id=session_of(headers, record.id),
            user_id=record.user_id if is_user_key else None,
            role=record.role if is_user_key else None,
            agent_id=record.linked_agent_id,
            narrowing=record.narrowing,
        )

    def _key_hash(self, headers: Mapping[str, str], now: datetime) -> str:
        header = headers.get("authorization", "")
        scheme, _, credential = header.partition(" ")
        if not header:
            raise Unauthorized("No API key was sent.", hint=_GET_A_KEY, key_was_sent=False)
        credential = credential.strip()
        if scheme.lower() != "bearer" or not credential.isascii():
            raise Unauthorized("The Authorization header must be `Bearer` and a key.", hint=_GET_A_KEY)
        if keys.is_well_formed(credential):
            return keys.hash_of(credential)
        if credential.count(".") == 2:
            return self._tokens.key_hash_of(credential, now)
        raise Unauthorized("This is not a Forge API key: they start with forge_sk_.", hint=_GET_A_KEY)


def require_scopes(caller: Caller, scopes: tuple[str, ...], tool: str) -> None:
    """Every scope must literally be there: ADMIN implies no other."""
    for scope in scopes:
        if scope not in caller.scopes:
            raise ScopeRequired(
                f"{tool} needs the scope {scope}, which this key does not have.",
                hint="Use a key with that scope; an admin makes one with keys.create.",
                details={"scope": scope},
            )


def _refusal(record: KeyRecord | None, door: Door, now: datetime) -> DomainError:
    if record is None:
        return Unauthorized("This API key is not known here.", hint=_GET_A_KEY)
    if record.revoked_at is not None:
        return Unauthorized("This API key was revoked.", hint=_GET_A_KEY)
    if record.expires_at is not None and record.expires_at <= now:
        return Unauthorized("This API key has expired.", hint=_GET_A_KEY)
    wait = rates.seconds_to_next(now)
    return RateLimited(
        f"More than {rates.LIMITS[door]} calls in this minute with this key.",
        hint=f"Wait {wait} s, then go on. Batches and lists with more rows need fewer calls.",
        retry_after_seconds=wait,
    )


def _require_usable(record: KeyRecord) -> None:
    if record.kind is KeyKind.AGENT:
        return
    if record.linked_agent_id is not None:
        raise Unauthorized(
            "This API key is malformed: a user's key can't be linked to an agent.", hint=_GET_A_KEY
        )
    if not record.is_member:
        raise Forbidden("The owner of this API key is no longer a member of its workspace.")


def _effective_scopes(record: KeyRecord) -> frozenset[str]:
    """A user who is no longer an admin keeps no ADMIN scope; agents' keys stand on their own."""
    if record.kind is KeyKind.AGENT or record.role in _ADMIN_ROLES:
        return record.scopes
    return record.scopes - {Scope.ADMIN.value}
