"""`forge login` and `forge logout`."""

import os
import sys
import webbrowser
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from secrets import compare_digest, token_urlsafe
from threading import Thread
from urllib.parse import urlencode, urlsplit

from forge.cli.calls import BadArguments, ending, err, say
from forge.cli.signing_in import server as servers
from forge.cli.signing_in.kept import Sessions, origin_of
from forge.cli.signing_in.loopback import Answer, Landing, landing
from forge.cli.signing_in.server import CLIENT_ID, Server
from forge.contract.terms import Scope
from forge.wire.hosts import LOOPBACK

_PATIENCE_SECONDS = 300.0
_EVERYTHING = " ".join(scope.value for scope in Scope)
"""What is asked for: the person ticks what of it this terminal gets; reading and work are ticked already."""

Open = Callable[[str], bool]


def login(url: str, *, scopes: str = "", opens: bool = True, open_browser: Open | None = None) -> int:
    opened = (open_browser or _open) if opens else _no_browser
    return ending(lambda: _login(_origin(url), scopes, opened))


def logout(url: str) -> int:
    return ending(lambda: _logout(url))


def _login(origin: str, scopes: str, open_browser: Open) -> None:
    server = servers.found_at(origin)
    state, verifier = token_urlsafe(24), token_urlsafe(48)

    def fits(answer: Answer) -> bool:
        # Who did not begin this does not end it, and no other server's answer is taken for this one's.
        is_begun_here = compare_digest(answer.get("state", "").encode(), state.encode())
        return (
            is_begun_here and answer.get("iss") == server.issuer and bool({"code", "error"} & answer.keys())
        )

    with landing(fits) as place:
        address = _address(server, place, state, verifier, scopes)
        say("Sign in with your browser, at:")
        say("")
        say(address)
        say("")
        _offer(place, address, open_browser)
        answer = place.wait(_PATIENCE_SECONDS)
    if answer is None:
        raise BadArguments("Nobody signed in within five minutes. Try again.")
    if "code" not in answer:
        raise BadArguments(f"You are not signed in: {answer.get('error_description') or answer['error']}")
    session = servers.redeemed(
        server,
        code=answer["code"],
        redirect_uri=place.redirect_uri,
        verifier=verifier,
    )
    sessions = Sessions()
    with sessions.locked():
        before = sessions.find(origin)
        sessions.keep(origin, session)
    if before is not None:
        servers.revoked(before)
    say(f"You are signed in at {origin}. Commands use this session where no key is given.")
    say("`forge logout` ends it.")


def _logout(url: str) -> None:
    sessions = Sessions()
    origin = _origin(url) if url else sessions.current()
    with sessions.locked():
        session = sessions.find(origin) if origin else None
        if session is None:
            raise BadArguments(f"Nobody is signed in{f' at {origin}' if origin else ''}.")
        # Whatever the server says: whoever signs out is not signed in here any more.
        sessions.forget(origin)
    if servers.revoked(session):
        say(f"You are signed out at {origin}.")
    else:
        err.print(
            f"Signed out here, but {origin} could not be told: end it there with keys.revoke.", markup=False
        )


def _address(server: Server, place: Landing, state: str, verifier: str, scopes: str) -> str:
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code",
        "client_id": CLIENT_ID,
        "redirect_uri": place.redirect_uri,
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "resource": server.resource,
        "scope": scopes or _EVERYTHING,
    }
    return f"{server.authorization_endpoint}?{urlencode(asked)}"


def _offer(place: Landing, address: str, open_browser: Open) -> None:
    """Where no browser opens here, one elsewhere ends at an address that it can't reach: that is pasted."""
    if open_browser(address):
        say("Waiting for the browser…")
        return
    say("Open it in any browser. If that ends at a page that can't be reached, paste its address here:")
    Thread(target=_read, args=(place,), daemon=True).start()


def _read(place: Landing) -> None:
    for line in sys.stdin:
        if not line.strip():
            continue
        if place.take(line):
            return
        say("That is not the address this command waits for. Paste the whole of it:")


def _open(address: str) -> bool:
    """Without a screen, what opens is a browser of text, in the middle of this terminal."""
    has_screen = (
        sys.platform in ("darwin", "win32") or {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & os.environ.keys()
    )
    return bool(has_screen) and webbrowser.open(address)


def _no_browser(address: str) -> bool:
    return False


def _origin(url: str) -> str:
    try:
        origin = origin_of(url if "://" in url else f"https://{url}")
    except ValueError:
        raise BadArguments(f"{url!r} is no address. Example: forge login https://forge.example.com") from None
    if origin.startswith("http:") and urlsplit(origin).hostname not in LOOPBACK:
        raise BadArguments(f"What is sent to {origin} can be read on the way. Use https://")
    return origin
