"""`/oauth/token`: a code, a refresh token or a worker's proof comes in, and a key's token goes out.

The library knows the client and checks the request. What is given is decided and written here, in one
transaction: a token that was given is stored, and what it was given for is spent.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from authlib.oauth2.base import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidScopeError, UnauthorizedClientError, grants

from forge.auth.keys import hash_of
from forge.errors import PreconditionFailed
from forge.store.transactions import Transaction, decided_again
from forge.wire.http import Response
from forge.work.record.log import events
from forge.work.workspace.people.api_keys import ApiKeyItem, AuthenticationItem, HeldKey
from forge.work.workspace.people.authentication import AUTHENTICATION
from forge.work.workspace.signins import client_keys
from forge.work.workspace.signins.client_keys import Issued, TokenHolder
from functions.oauth import clients, families, replies, scopes
from functions.oauth.clients import Client
from functions.oauth.server import Answer, AskedRequest, InvalidTarget, OnlyS256, Server, resources_for
from functions.oauth.stored import codes, refreshes
from functions.oauth.stored.codes import CodeItem
from functions.oauth.stored.refreshes import RefreshItem
from functions.oauth.visits import OVERTAKEN, TRIES, Visit, new_secret

TokenAnswer = tuple[int, dict[str, Any], list[tuple[str, str]]]


def give(visit: Visit) -> Response:
    asked = visit.form().single()
    if asked.get("grant_type") not in (clients.CODE, clients.REFRESH, clients.CREDENTIALS):
        return replies.refused(visit, "unsupported_grant_type", "grant_type is none that this server has.")
    server = Server(visit)
    server.register_grant(CodeGrant, [OnlyS256(required=True)])
    server.register_grant(RefreshGrant)
    server.register_grant(WorkerGrant)
    answer: Answer = server.create_token_response(AskedRequest(visit, asked))
    return answer.response()


class NoRoom(OAuth2Error):  # type: ignore[misc]  # the library has no types
    """For now: others of theirs end by themselves, so what it was asked with is not spent."""

    error = "temporarily_unavailable"
    description = "There are too many live keys of this person or agent. Try again later."
    status_code = 503


class CodeGrant(grants.AuthorizationCodeGrant):  # type: ignore[misc]  # as above
    TOKEN_ENDPOINT_AUTH_METHODS = clients.METHODS
    request: AskedRequest
    server: Server

    def generate_authorization_code(self) -> str:
        return new_secret()

    def save_authorization_code(self, code: str, request: AskedRequest) -> None:
        """Whoever said yes stores what they said yes to, with that they did."""
        request.user.save(code)

    def query_authorization_code(self, code: str, client: Client) -> CodeItem | None:
        visit = self.server.visit
        found = visit.table.find(CodeItem, CodeItem.at(hash_of(code)))
        if found is None:
            return None
        self.request.concerned = (found.workspace_id, found.key_id)
        if found.client.id != client.id:
            return None
        if found.used_at is not None:
            # Somebody has it who should not: what it gave ends, whoever of the two has that.
            families.end(visit, found.workspace_id, found.key_id, tool="oauth.codeReplayed")
            return None
        return found if found.expires_at > visit.services.now() else None

    def create_token_response(self) -> TokenAnswer:
        visit, code = self.server.visit, self.request.authorization_code
        return decided_again(lambda: self._exchanged(visit, code), tries=TRIES, spent=OVERTAKEN)

    def _exchanged(self, visit: Visit, seen: CodeItem) -> TokenAnswer:
        code = visit.table.find(CodeItem, seen.key)
        holder = client_keys.find_holder(
            visit.table,
            seen.workspace_id,
            seen.user_id,
            seen.agent_id,
            since=seen.expires_at - codes.LIFETIME,
            made_by_key_id=seen.made_by_key_id,
        )
        if code is not None and code.used_at is not None:
            # Two had it at the same moment: one of them should not.
            families.end(visit, code.workspace_id, code.key_id, tool="oauth.codeReplayed")
        if code is None or code.used_at is not None or holder is None:
            raise InvalidGrantError("This code gives nothing any more.")
        _require_bound(self.request, code.client.resource)
        tx = visit.begin(families.actor_of(code), "oauth.token")
        tx.replace(code.changed(used_at=visit.services.now()))
        issued = _guarded(lambda: client_keys.issue_first(tx, code.granted, holder))
        refresh = refreshes.first() if self.request.client.check_grant_type(clients.REFRESH) else None
        if refresh is not None:
            tx.create(
                RefreshItem(
                    token_hash=hash_of(refresh),
                    workspace_id=code.workspace_id,
                    key_id=code.key_id,
                    client_id=code.client.id,
                    expires_at=code.grant_ends_at,
                )
            )
        events.record_change(tx, "key", issued.key.id, action="create", after=issued.key)
        visit.services.store.commit(tx)
        return _answered(visit, issued, refresh, code.scopes)


class _Presented:
    """A refresh token as the library asks about it."""

    def __init__(self, item: RefreshItem, raw: str, key: ApiKeyItem) -> None:
        self.item = item
        self.raw = raw
        self.key = key

    def check_client(self, client: Client) -> bool:
        return self.item.client_id == client.id

    def get_scope(self) -> str:
        return scopes.written(self.key.scopes)


class RefreshGrant(grants.RefreshTokenGrant):  # type: ignore[misc]  # as above
    TOKEN_ENDPOINT_AUTH_METHODS = clients.METHODS
    request: AskedRequest
    server: Server

    def authenticate_refresh_token(self, refresh_token: str) -> _Presented | None:
        visit = self.server.visit
        item = visit.table.find(RefreshItem, RefreshItem.at(hash_of(refresh_token)))
        if item is None:
            return None
        self.request.concerned = (item.workspace_id, item.key_id)
        held = families.find(visit, item.workspace_id, item.key_id)
        return _Presented(item, refresh_token, held.item) if held else None

    def create_token_response(self) -> TokenAnswer:
        visit, presented = self.server.visit, self.request.refresh_token
        _require_bound(self.request, presented.key.client.resource)
        return decided_again(lambda: self._rotated(visit, presented), tries=TRIES, spent=OVERTAKEN)

    def _rotated(self, visit: Visit, presented: _Presented) -> TokenAnswer:
        item = visit.table.find(RefreshItem, presented.item.key)
        held = families.find(visit, presented.item.workspace_id, presented.item.key_id)
        if item is None or held is None:
            raise InvalidGrantError("This token gives nothing any more.")
        if item.spent_at is not None:
            return self._repeated(visit, item, presented.raw)
        key, now = held.item, visit.services.now()
        holder = _holder_of(visit, key)
        if holder is None:
            raise InvalidGrantError("Whoever let this client in is not here any more.")
        wanted = scopes.known(self.request.payload.scope) or frozenset(key.scopes)
        salt = refreshes.new_salt()
        following = refreshes.successor(presented.raw, salt)
        tx = visit.begin(families.actor(key), "oauth.token")
        issued = _issued_next(visit, tx, held, holder, scopes=wanted, secret=following.access_secret)
        ended = {"spent_at": now, "salt": salt, "scopes": {*wanted}, "access_ends_at": issued.expires_at}
        tx.replace(item.changed(**ended))
        tx.create(RefreshItem.of(item, token_hash=hash_of(following.refresh)))
        visit.services.store.commit(tx)
        return _answered(visit, issued, following.refresh, wanted)

    def _repeated(self, visit: Visit, item: RefreshItem, raw: str) -> TokenAnswer:
        """The same once more for who did not hear the answer; whoever comes later has stolen it."""
        following = refreshes.successor(raw, str(item.salt))
        known = visit.table.find(RefreshItem, RefreshItem.at(hash_of(following.refresh)))
        now = visit.services.now()
        is_in_time = item.spent_at is not None and now - item.spent_at <= refreshes.GRACE
        if not is_in_time or known is None or known.spent_at is not None or item.access_ends_at is None:
            families.end(visit, item.workspace_id, item.key_id, tool="oauth.refreshReused")
            raise InvalidGrantError("This token was used before; everything that came of it has ended.")
        access = refreshes.access_of(following)
        return _told(access, item.access_ends_at, now, following.refresh, item.scopes)


class WorkerGrant(grants.ClientCredentialsGrant):  # type: ignore[misc]  # as above
    TOKEN_ENDPOINT_AUTH_METHODS = (*clients.SECRETS, clients.SIGNED)
    request: AskedRequest
    server: Server

    def create_token_response(self) -> TokenAnswer:
        visit = self.server.visit
        return decided_again(lambda: self._given(visit, self.request.client), tries=TRIES, spent=OVERTAKEN)

    def _given(self, visit: Visit, client: Client) -> TokenAnswer:
        held = families.find(visit, *client.own_key) if client.own_key else None
        if held is None:
            raise UnauthorizedClientError("What this client was made with has ended.")
        key = held.item
        self.request.concerned = (key.workspace_id, key.id)
        resources = resources_for(visit, client)
        resource = self.request.payload.data.get("resource") or resources[-1]
        if resource not in resources:
            raise InvalidTarget
        holder = _holder_of(visit, key)
        if holder is None:
            raise UnauthorizedClientError("The agent of this client is not here any more.")
        wanted = frozenset((self.request.payload.scope or "").split()) or frozenset(key.scopes)
        if not wanted <= key.scopes:
            raise InvalidScopeError
        tx = visit.begin(families.actor(key), "oauth.token")
        most = client_keys.MOST_OF_WORKERS
        issued = _issued_next(visit, tx, held, holder, scopes=wanted, resource=resource, most=most)
        visit.services.store.commit(tx)
        return _answered(visit, issued, None, wanted)


def _holder_of(visit: Visit, key: ApiKeyItem) -> TokenHolder | None:
    return client_keys.find_holder(
        visit.table,
        key.workspace_id,
        key.user_id,
        key.linked_agent_id,
        since=key.created_at,
        made_by_key_id=key.made_by_key_id,
    )


def _require_bound(request: AskedRequest, resource: str) -> None:
    asked = request.payload.data.get("resource")
    if asked is not None and asked != resource:
        raise InvalidTarget


def _issued_next(visit: Visit, tx: Transaction, held: HeldKey, holder: TokenHolder, **how: Any) -> Issued:
    used = visit.table.find(AuthenticationItem, AUTHENTICATION(held.item.key_hash))
    issued = _guarded(lambda: client_keys.issue_next(tx, held, holder, used=used, **how))
    events.record_change(tx, "key", held.item.id, action="refresh")
    return issued


def _guarded(issue: Callable[[], Issued]) -> Issued:
    try:
        return issue()
    except PreconditionFailed as full:
        raise NoRoom from full


def _answered(visit: Visit, issued: Issued, refresh: str | None, given: Any) -> TokenAnswer:
    return _told(issued.raw, issued.expires_at, visit.services.now(), refresh, given)


def _told(access: str, ends_at: datetime, now: datetime, refresh: str | None, given: Any) -> TokenAnswer:
    body: dict[str, Any] = {
        "access_token": access,
        "token_type": "Bearer",
        "expires_in": max(1, int((ends_at - now).total_seconds())),
        **({"refresh_token": refresh} if refresh else {}),
        "scope": scopes.written(given),
    }
    return 200, body, [("content-type", "application/json")]
