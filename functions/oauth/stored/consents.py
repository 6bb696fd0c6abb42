"""What a client asks of a person, from the page that shows it until they have answered, once."""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from forge.store.items import Item
from forge.store.keys import At, Key, Partition
from forge.store.places import KeptFor

LIFETIME = timedelta(minutes=15)


class ConsentItem(Item):
    """By the hash of the id that only the page has; it belongs to the sign-in that it was shown to."""

    stored = At(Partition("OAUTH#CONSENT#{secret_hash}", outside="of whoever looks at it"), "CONSENT")
    kept = KeptFor(since="expires_at")

    secret_hash: str
    sign_in: str
    """The hash by which the sign-in is found."""
    workspace_id: str
    asked: dict[str, str]
    """The request as it came, and was checked."""
    client_digest: str
    client_name: str
    created_at: datetime
    expires_at: datetime
    settled_at: datetime | None = None


def place_of(secret: str) -> Key:
    return ConsentItem.at(hash_of(secret))


def hash_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def begun(*, secret: str, now: datetime, **fields: Any) -> ConsentItem:
    return ConsentItem(secret_hash=hash_of(secret), created_at=now, expires_at=now + LIFETIME, **fields)
