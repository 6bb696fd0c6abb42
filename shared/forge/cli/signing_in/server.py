"""What the command asks of a server's authorization server: where things are, and tokens."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

import httpx

from forge.cli.calls import BadArguments
from forge.cli.signing_in.kept import Session, origin_of
from forge.clock import system_now

_DOCUMENT = "/.well-known/oauth-authorization-server/oauth"
_SECONDS = 10
"""Less than what the server gives the same answer again for, to who did not hear it."""
_REFUSED = frozenset({400, 401})
"""What the server itself says to a code or a token; others say what stands in between, or that it is busy."""
REDIRECT_PATH = "/callback"
CLIENT_ID = "forge-cli"
"""By which every server knows this program: it has no secret, and comes back to any port of this machine."""


class Ended(Exception):
    """The session can't be gone on with: whoever wants one signs in again."""


class Server(NamedTuple):
    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    resource: str
    """All that commands call; clients of MCP get less."""


def found_at(origin: str) -> Server:
    """The authorization server of a Forge; BadArguments where there is none, or it is somebody else's."""
    said = _asked("GET", f"{origin}{_DOCUMENT}")
    if said is None:
        raise BadArguments(
            f"{origin} does not let anybody sign in (OAuth is off there, or it is older). Use a key instead."
        )
    issuer = str(said.get("issuer", ""))
    if issuer != f"{origin}/oauth":
        known = issuer.removesuffix("/oauth")
        raise BadArguments(f"This server calls itself {known}. Use that: forge login {known}")
    names = ("authorization_endpoint", "token_endpoint", "revocation_endpoint")
    found = {name: str(said.get(name, "")) for name in names}
    for url in found.values():
        if url and origin_of(url) != origin:
            # What is sent there opens this server.
            raise BadArguments(f"{origin} sends people elsewhere to sign in, to {url}. That is refused.")
    return Server(issuer, **found, resource=f"{origin}/api")


def redeemed(server: Server, *, code: str, redirect_uri: str, verifier: str) -> Session:
    """The session that a code gives, once."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "code_verifier": verifier,
        "client_id": CLIENT_ID,
        "resource": server.resource,
    }
    answer = _asked("POST", server.token_endpoint, data=form, refusals=_REFUSED)
    if answer is None:
        raise BadArguments("The server did not take the code: it was used before, or is too old. Try again.")
    return _session(
        answer,
        Session(
            CLIENT_ID,
            "",
            "",
            system_now(),
            server.token_endpoint,
            server.revocation_endpoint,
            server.resource,
        ),
    )


def refreshed(session: Session) -> Session:
    """The same with another key; Ended where there is none for it any more."""
    form = {
        "grant_type": "refresh_token",
        "refresh_token": session.refresh_token,
        "client_id": session.client_id,
        "resource": session.resource,
    }
    if session.refresh_token:
        answer = _asked("POST", session.token_endpoint, data=form, refusals=_REFUSED)
        if answer is not None:
            return _session(answer, session)
    raise Ended


def revoked(session: Session) -> bool:
    """Ends it for good; False where the server could not be told."""
    form = {"token": session.refresh_token or session.access_token, "client_id": session.client_id}
    try:
        return (
            bool(session.revocation_endpoint)
            and httpx.post(session.revocation_endpoint, data=form, timeout=_SECONDS).is_success
        )
    except httpx.HTTPError:
        return False


def _session(answer: Mapping[str, Any], before: Session) -> Session:
    try:
        lasts = timedelta(seconds=int(answer["expires_in"]))
        return before._replace(
            access_token=str(answer["access_token"]),
            # Whoever is given no other one goes on with theirs.
            refresh_token=str(answer.get("refresh_token") or before.refresh_token),
            ends_at=system_now() + lasts,
        )
    except (KeyError, ValueError, TypeError, OverflowError):
        raise BadArguments("The server's answer is no token.") from None


def _asked(
    method: str, url: str, *, refusals: Collection[int] = range(400, 429), **how: Any
) -> dict[str, Any] | None:
    """The answer; None where it is a refusal. BadArguments where there is none to be had."""
    try:
        response = httpx.request(method, url, timeout=_SECONDS, follow_redirects=False, **how)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as problem:
        raise BadArguments(f"{url} does not answer like a Forge: {problem}") from None
    if response.status_code in refusals:
        return None
    if not response.is_success:
        raise BadArguments(f"{url} can't answer just now ({response.status_code}). Try again in a moment.")
    try:
        found = response.json()
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
