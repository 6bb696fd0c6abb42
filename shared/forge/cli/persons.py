"""As whom a person calls: with the key that was given, or by the session that they signed in to.

Commands import this when they are declared, so what it needs is imported when somebody calls.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forge.cli.calls import Connection


def persons_connection(url: str, key: str, home: Path, *, name: str = "owner") -> "Connection":
    """As `connection_of`; where no key is given, the session that they signed in to with `forge login`."""
    from forge.cli.calls import connection_of

    given = connection_of(url, key, home, name=name)
    if given.key:
        return given
    # Most commands are given a key, and start without this.
    from forge.cli.signing_in.sessions import session_at

    return session_at(given.url) or given
