"""Authorization codes: what somebody said yes to, for the client to fetch once and at once."""

from datetime import datetime, timedelta

from forge.context import Narrowing
from forge.store.items import Item
from forge.store.keys import At, Partition
from forge.store.places import KeptFor
from forge.work.workspace.people.api_keys import ClientOfKey
from forge.work.workspace.signins.client_keys import Granted

LIFETIME = timedelta(seconds=60)
_REMEMBERED = timedelta(days=1)
"""Whoever brings one again is known by it for so long."""


class CodeItem(Item):
    stored = At(Partition("OAUTH#CODE#{token_hash}", outside="a client says nothing else"), "CODE")
    kept = KeptFor(_REMEMBERED, since="expires_at")

    token_hash: str
    workspace_id: str
    user_id: str
    agent_id: str | None = None
    key_id: str
    """Of the key that it will be exchanged for."""
    client: ClientOfKey
    redirect_uri: str
    challenge: str
    scopes: set[str]
    project_ids: set[str] = set()
    label_ids: set[str] = set()
    initiative_ids: set[str] = set()
    issue_ids: set[str] = set()
    rate_per_minute: int | None = None
    made_by_key_id: str | None = None
    grant_ends_at: datetime
    expires_at: datetime
    used_at: datetime | None = None

    # What the library asks codes for.
    @property
    def code_challenge(self) -> str:
        return self.challenge

    @property
    def code_challenge_method(self) -> str:
        return "S256"

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return " ".join(sorted(self.scopes))

    @property
    def granted(self) -> Granted:
        narrowing = Narrowing(
            frozenset(self.project_ids),
            frozenset(self.label_ids),
            frozenset(self.initiative_ids),
            frozenset(self.issue_ids),
        )
        return Granted(
            self.key_id,
            self.workspace_id,
            self.user_id,
            self.agent_id,
            frozenset(self.scopes),
            narrowing,
            self.client,
            self.grant_ends_at,
            self.rate_per_minute,
            made_by_key_id=self.made_by_key_id,
        )
