"""What was refused, for the audit of the workspace that it was about."""

from forge.work.record.log import events
from forge.work.record.log.attempts import Attempt, CallOutcome
from functions.oauth.visits import Visit, nobody


def note(visit: Visit, code: str, why: str, *, workspace_id: str, key_id: str) -> None:
    """Nobody waits for this, and no answer says more for it."""
    tx = visit.begin(visit.who or nobody(workspace_id), visit.operation)
    attempt = Attempt.that(CallOutcome.FAILURE, {}, session_id=key_id, code=code, error=why)
    events.record_refusal(tx, attempt, subject_type="key", subject_id=key_id)
    visit.services.store.commit(tx)
