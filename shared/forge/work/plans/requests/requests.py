"""The request aggregate: what is asked, its long texts, and the votes of a poll."""

from datetime import datetime, timedelta
from enum import StrEnum

from forge.errors import Conflict, NotFound
from forge.store.followers import follow
from forge.store.items import Item, Part
from forge.store.keys import At, Key, Partition
from forge.store.places import DueAt, In
from forge.store.readings import Readings
from forge.store.transactions import Transaction, overtaken
from forge.work.issues.inbox.rows import WaitingItem, What
from forge.work.plans.waits import waits

WAITED_FOR = frozenset({"execution-plan"})
"""Sources of requests whose answer is waited for."""
SNOOZED_FOR = timedelta(days=1)
"""How long something is put off, unless whoever does it says until when."""
SHORT = 400
"""Characters of a text that lists show."""


class RequestKind(StrEnum):
    """What accepting it does: nothing by itself, or one bound change of its issue."""

    FREE_FORM = "FREE_FORM"
    TRANSITION = "TRANSITION"
    SET_LABELS = "SET_LABELS"
    ASSIGN = "ASSIGN"
    ASSIGN_AGENT = "ASSIGN_AGENT"
    ARCHIVE = "ARCHIVE"
    CLOSE_AS_DUPLICATE = "CLOSE_AS_DUPLICATE"


class RequestStatus(StrEnum):
    OPEN = "OPEN"
    RESOLVED = "RESOLVED"
    DISMISSED = "DISMISSED"
    SNOOZED = "SNOOZED"
    REJECTED = "REJECTED"


class Severity(StrEnum):
    INFO = "INFO"
    SUCCESS = "SUCCESS"
    WARNING = "WARNING"
    ERROR = "ERROR"
    CRITICAL = "CRITICAL"


class Option(Part):
    """One answer of a poll."""

    key: str
    label: str
    description: str | None = None


class BoundAction(Part):
    """What accepting does, by ids; which of them are set, the kind says."""

    status_id: str | None = None
    add: list[str] = []
    remove: list[str] = []
    user_ids: list[str] = []
    agent_id: str | None = None
    duplicate_of_issue_id: str | None = None


OF_REQUEST = Partition("WS#{workspace_id}#ACTION#{request_id}")
"""All of a request: one Query gives it with its texts and votes."""
REQUESTS_LISTED = Partition("WS#{workspace_id}#UPDATED#ACTION")
REQUESTS_IN_STATUS = Partition("WS#{workspace_id}#ACTIONS#{status}")
REQUESTS_OF_AGENT = Partition("WS#{workspace_id}#AGENT#{assigned_agent_id}#ACTIONS")
REQUESTS_OF_ISSUE = Partition("WS#{workspace_id}#ISSUE#{issue_id}#ACTIONS")
_AGE = "{created_at}#{id}"


class RequestItem(Item):
    stored = At(OF_REQUEST, "META", request_id="id")
    indexed = (
        In("updated", REQUESTS_LISTED, _AGE),
        In("board", REQUESTS_IN_STATUS, _AGE),
        In("agent", REQUESTS_OF_AGENT, _AGE),
        In("subject", REQUESTS_OF_ISSUE, _AGE),
        DueAt("due_again_at"),
    )

    workspace_id: str
    id: str
    title: str
    body: str | None = None
    """Its beginning: all of it is in `RequestTextItem`."""
    status: RequestStatus = RequestStatus.OPEN
    severity: Severity = Severity.INFO
    kind: RequestKind = RequestKind.FREE_FORM
    payload: BoundAction | None = None
    options: list[Option] = []
    """Of a poll, in the order in which they were given, without their descriptions."""
    is_voting_open: bool = True
    voting_closed_at: datetime | None = None
    requested_by_user_id: str | None = None
    requested_by_agent_id: str | None = None
    assigned_user_id: str | None = None
    assigned_agent_id: str | None = None
    source_type: str | None = None
    source_id: str | None = None
    issue_id: str | None = None
    due_at: datetime | None = None
    resolved_at: datetime | None = None
    resolved_by_user_id: str | None = None
    resolved_by_agent_id: str | None = None
    resolution: str | None = None
    """Its beginning, too."""
    snoozed_until: datetime | None = None
    """When what was put off is open again."""
    answer_waits: bool = False
    """Whether the agent that asked has yet to take note of what was decided: no comment calls it."""
    shown_hash: str
    """A digest of what the person who decides is shown; a yes is a yes to exactly that."""
    created_at: datetime

    @property
    def due_again_at(self) -> datetime | None:
        return self.snoozed_until if self.status is RequestStatus.SNOOZED else None

    @property
    def text_key(self) -> Key:
        return RequestTextItem.at(self.workspace_id, self.id)

    @property
    def wakes_at(self) -> datetime:
        """Of one that is put off; what an older build put off says only since when."""
        return self.snoozed_until or (self.resolved_at or self.created_at) + SNOOZED_FOR

    def as_of(self, now: datetime) -> "RequestItem":
        """As it reads: what was put off is open again when its time has come, whoever wrote that down."""
        is_over = self.status is RequestStatus.SNOOZED and self.wakes_at <= now
        return self.opened() if is_over else self

    def opened(self) -> "RequestItem":
        """The request as it is open again: without a decision and who made it."""
        return self.changed(
            status=RequestStatus.OPEN,
            resolved_at=None,
            resolved_by_user_id=None,
            resolved_by_agent_id=None,
            resolution=None,
            snoozed_until=None,
            answer_waits=False,
        )

    @property
    def awaited(self) -> list[WaitingItem]:
        """What stands in the inbox of the agent that asked, once it was decided and until it is heard."""
        if not self.answer_waits:
            return []
        answer = WaitingItem(
            workspace_id=self.workspace_id,
            agent_id=str(self.requested_by_agent_id),
            what=What.ANSWER,
            subject_id=self.id,
            title=self.title,
            since=self.resolved_at or self.created_at,
        )
        return [answer]

    @property
    def is_waiting(self) -> bool:
        """Whether somebody still has to decide; what is snoozed comes back."""
        return self.status in (RequestStatus.OPEN, RequestStatus.SNOOZED)

    @property
    def is_poll(self) -> bool:
        return bool(self.options)

    @property
    def option_keys(self) -> list[str]:
        return [one.key for one in self.options]


class RequestTextItem(Item):
    """What is long: apart from the head, so that no list reads it unless it is asked for."""

    stored = At(OF_REQUEST, "TEXT")

    workspace_id: str
    request_id: str
    body: str | None = None
    options: list[Option] = []
    resolution: str | None = None


class VoteItem(Item):
    """A person's pick. When they first voted stays, however often they change their mind."""

    stored = At(OF_REQUEST, "VOTE#{user_id}")

    workspace_id: str
    request_id: str
    user_id: str
    option_key: str
    created_at: datetime
    updated_at: datetime


def keys_of_request(workspace_id: str, request_id: str) -> list[Key]:
    return [RequestItem.at(workspace_id, request_id), RequestTextItem.at(workspace_id, request_id)]


def find_whole(
    known: Readings, workspace_id: str, request_id: str
) -> tuple[RequestItem, RequestTextItem] | None:
    """A request that was read with its texts."""
    head, texts = keys_of_request(workspace_id, request_id)
    found, said = known.find(RequestItem, head), known.find(RequestTextItem, texts)
    return (found, said) if found is not None and said is not None else None


def beginning(text: str | None) -> str | None:
    """As much as the head holds, which indexes copy: one character more than is shown tells of the rest."""
    return text[: SHORT + 1] if text else None


def add(tx: Transaction, request: RequestItem, texts: RequestTextItem) -> None:
    tx.create(request)
    tx.create(texts)


def save(
    tx: Transaction,
    before: RequestItem,
    request: RequestItem,
    texts: RequestTextItem,
    *,
    resolution: str | None,
) -> None:
    """Store a request that was settled or opened again; the whole resolution is kept with its texts."""
    tx.replace(request)
    follow(tx, before.awaited, request.awaited)
    if request.source_type in WAITED_FOR:
        waits.settled(tx, [waits.wait_id(request.id, 1)])
    if texts.resolution != resolution:
        tx.replace(texts.changed(resolution=resolution))


def cast(tx: Transaction, request: RequestItem, before: VoteItem | None, vote: VoteItem) -> None:
    """Store a vote, unless voting is over.

    The request's version moves without a condition on it: many vote at once, and yet whoever closes the vote
    meanwhile counts again.
    """
    if before is None:
        tx.create(vote, refusal=overtaken)
    else:
        tx.replace(vote)
    tx.adjust(request.key, add={"version": 1}, equal={"is_voting_open": True}, refusal=voting_is_over())


def voting_is_over() -> Conflict:
    return Conflict("Voting on this request is closed.", hint="actionRequests.results shows what won.")


def no_such_request(given: str) -> NotFound:
    return NotFound(
        f"There is no action request {given[:60]!r}.",
        hint="actionRequests.list shows those that this key can see.",
    )
