"""What clients say of themselves in a document at the address that is their id, as it was fetched last."""

from datetime import datetime
from typing import Any

from forge.store.items import DerivedItem
from forge.store.keys import At, Partition
from forge.store.places import KeptFor


class DocumentItem(DerivedItem):
    """It follows from what is at the address alone: whoever fetches it anew writes it anew."""

    stored = At(Partition("OAUTH#DOCUMENT#{place}", outside="a client asks before anybody is known"), "DOC")
    kept = KeptFor(since="does_until")

    place: str
    """The digest of the address."""
    client_id: str
    digest: str
    """Of what matters in it: what somebody was shown is held to it."""
    name: str
    redirect_uris: list[str]
    auth_method: str = "none"
    jwks: dict[str, Any] | None = None
    problem: str = ""
    """Why it can't be used: asked for again no sooner than one that can."""
    fresh_until: datetime
    does_until: datetime
    """So long it does where nothing newer can be had."""
