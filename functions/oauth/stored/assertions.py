"""What clients have signed to prove who they are: each counts once."""

from datetime import datetime
from hashlib import sha256

from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor


class AssertionItem(Item):
    stored = At(Partition("OAUTH#ASSERTION#{digest}", outside="nobody is known yet"), "ASSERTION")
    kept = KeptFor(since="expires_at")

    digest: str
    expires_at: datetime

    @classmethod
    def of_client(cls, client_id: str, jti: str, expires_at: datetime) -> "AssertionItem":
        return cls(digest=sha256(f"{client_id}\n{jti}".encode()).hexdigest(), expires_at=expires_at)
