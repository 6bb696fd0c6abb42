"""What a client asks of a person, from the page that shows it until they have answered, once."""

from datetime import datetime, timedelta
from typing import Any

from forge.auth.keys import hash_of
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor

LIFETIME = timedelta(minutes=15)


class ConsentItem(Item):
    """By the hash of the id that only the page has; it belongs to the sign-in that it was shown to."""

    stored = At(Partition("OAUTH#CONSENT#{secret_hash}", outside="of whoever looks at it"), "CONSENT")
    kept = KeptFor(since="expires_at")

    secret_hash: str
    sign_in: str
    """The hash by which the sign-in is found."""
    asked: dict[str, str]
    """The request as it came, and was checked."""
    client_digest: str
    expires_at: datetime
    settled_at: datetime | None = None


def begun(*, secret: str, now: datetime, **fields: Any) -> ConsentItem:
    return ConsentItem(secret_hash=hash_of(secret), expires_at=now + LIFETIME, **fields)
