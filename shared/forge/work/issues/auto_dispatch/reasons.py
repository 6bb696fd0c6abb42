"""Why auto-dispatch gave an issue to somebody, or to nobody, as the issue keeps it."""

from forge.store.items import Part


class DispatchReason(Part):
    """How auto-dispatch decided about the issue last, and for whom."""

    mode: str
    reason: str
    agent_id: str | None = None
    profile_key: str | None = None
    match_count: int | None = None
    rule_id: str | None = None
