"""Clients that were registered: by themselves, for whoever says yes to them, or for a worker by an admin."""

from datetime import datetime, timedelta
from typing import Any

from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor

UNUSED_FOR = timedelta(days=1)
"""So long one that registered itself is known without anybody having said yes to it."""
USED_FOR = timedelta(days=400)
"""And so long after that; each yes begins it anew."""


class ClientItem(Item):
    stored = At(Partition("OAUTH#CLIENT#{id}", outside="a client asks before anybody is known"), "CLIENT")
    kept = KeptFor(since="ends_at")

    id: str
    name: str
    redirect_uris: list[str] = []
    application_type: str = "web"
    grant_types: list[str]
    auth_method: str = "none"
    secret_hash: str | None = None
    jwks: dict[str, Any] | None = None
    """Public keys, of one that signs."""
    created_at: datetime
    ends_at: datetime
    is_used: bool = False
    key_id: str | None = None
    """Of a worker's: the key that its tokens are of, in this workspace."""
    workspace_id: str | None = None
