"""What was refused, for the audit of the workspace that it was about."""

from collections.abc import Mapping

from forge.work.record.log import events
from forge.work.record.log.attempts import Attempt, CallOutcome
from functions.oauth.visits import Visit, nobody


def note(
    visit: Visit,
    tool: str,
    *,
    workspace_id: str,
    key_id: str,
    code: str,
    why: str,
    about: Mapping[str, object] | None = None,
) -> None:
    """Nobody waits for this, and no answer says more for it."""
    tx = visit.begin(visit.who or nobody(workspace_id), tool)
    attempt = Attempt.that(CallOutcome.FAILURE, about or {}, session_id=key_id, code=code, error=why)
    events.record_refusal(tx, attempt, subject_type="key", subject_id=key_id)
    visit.services.store.commit(tx)
