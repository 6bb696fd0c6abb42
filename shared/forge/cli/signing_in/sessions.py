"""The key of a session, another one when it is about to end, however many processes want it at once."""

from datetime import timedelta
from functools import partial

from forge.cli.calls import BadArguments, Connection
from forge.cli.signing_in.kept import Sessions, origin_of
from forge.cli.signing_in.server import Ended, refreshed
from forge.clock import system_now

_AHEAD = timedelta(seconds=60)
"""Another key is asked for so long before its end: a call may take its time."""


def session_at(url: str, sessions: Sessions | None = None) -> Connection | None:
    """Where somebody is signed in: at this address, or, without one, where they signed in last."""
    kept = sessions or Sessions()
    try:
        origin = origin_of(url) if url else kept.current()
    except ValueError:
        return None
    session = kept.find(origin) if origin else None
    return Connection(origin, session.access_token, partial(key_for, origin, kept)) if session else None


def key_for(origin: str, sessions: Sessions | None = None) -> str:
    """A key that works for a while; empty where nobody is signed in there."""
    kept = sessions or Sessions()
    session = kept.find(origin)
    if session is None or session.ends_at - system_now() > _AHEAD:
        return session.access_token if session else ""
    with kept.locked():
        # Another process may have been quicker: what it got is everybody's, and the token before it is spent.
        session = kept.find(origin)
        if session is None or session.ends_at - system_now() > _AHEAD:
            return session.access_token if session else ""
        try:
            session = refreshed(session)
        except Ended:
            kept.forget(origin)
            raise BadArguments(
                f"The session at {origin} has ended. Sign in again: forge login {origin}"
            ) from None
        kept.replace(origin, session)
        return session.access_token
