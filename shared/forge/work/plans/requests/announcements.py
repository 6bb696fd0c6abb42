"""What is told of action requests."""

from datetime import datetime

from forge.contract.effects import Emission, Told
from forge.work.plans.requests.requests import RequestKind, RequestStatus, Severity
from forge.work.record.log.kinds import EventKind

REQUEST = "action-request"


class RequestRaised(Told):
    """`optionKeys` of a poll."""

    title: str
    severity: Severity
    kind: RequestKind
    assigned_user_id: str | None
    assigned_agent_id: str | None
    source_type: str | None
    source_id: str | None
    issue_id: str | None
    due_at: datetime | None = None
    option_keys: list[str] | None = None


class RequestSettled(Told):
    """How it stands now; of a resolution only the beginning. `dispatched` where it was accepted."""

    status: RequestStatus
    previous_status: RequestStatus
    kind: RequestKind
    issue_id: str | None
    resolution: str | None = None
    dispatched: bool | None = None


class RequestReminded(Told):
    """A reminder that a request still waits for a decision."""

    action: str
    title: str
    assigned_user_id: str | None


class VoteCast(Told):
    option_key: str
    previous_option_key: str | None
    changed: bool


class VotingClosed(Told):
    winning_option_key: str
    voting_closed_at: datetime


def _of_request(told: type[Told]) -> Emission:
    return Emission(EventKind.ISSUE_UPDATED, REQUEST, told)


REQUEST_RAISED = _of_request(RequestRaised)
REQUEST_SETTLED = _of_request(RequestSettled)
REQUEST_REMINDED = _of_request(RequestReminded)
VOTE_CAST = _of_request(VoteCast)
VOTING_CLOSED = _of_request(VotingClosed)
