"""Threads: a person and an agent, and what of the person's words the agent has not answered yet."""

from datetime import datetime
from enum import StrEnum

from forge.context import Caller
from forge.errors import Conflict, Forbidden, NotFound
from forge.store.items import Item, Part
from forge.store.keys import At, Partition
from forge.store.places import In
from forge.work.issues.inbox.rows import WaitingItem, What

MOST_UNANSWERED = 20


class ChatContextMode(StrEnum):
    SMART = "SMART"
    RECENT_ONLY = "RECENT_ONLY"
    FULL_SUMMARY = "FULL_SUMMARY"
    PINNED_CONTEXT = "PINNED_CONTEXT"


class Unanswered(Part):
    """A message of the person's that no reply followed, and whether the agent was told of it."""

    message_id: str
    created_at: datetime
    is_dispatched: bool


OF_THREAD = Partition("WS#{workspace_id}#THREAD#{thread_id}")
"""Messages sort before the head: a descending Query gives the thread and its newest messages."""
THREADS_OF = Partition("WS#{workspace_id}#THREADS#{user_id}")
"""A person's threads, by when something was last said."""


class ThreadItem(Item):
    stored = At(OF_THREAD, "X#META", thread_id="id")
    indexed = (In("updated", THREADS_OF, "{last_message_at}#{id}"),)

    workspace_id: str
    id: str
    user_id: str
    agent_id: str
    title: str | None = None
    topic: str | None = None
    is_default: bool = False
    """The one that a person and an agent have when nothing else is said."""
    context_mode: ChatContextMode = ChatContextMode.SMART
    summary_markdown: str | None = None
    unanswered: list[Unanswered] = []
    """Oldest first; of too many, the newest."""
    last_message_at: datetime
    created_at: datetime
    archived_at: datetime | None = None

    @property
    def waiting(self) -> Unanswered | None:
        """The newest message that the agent was told of and has not answered."""
        return next((one for one in reversed(self.unanswered) if one.is_dispatched), None)

    @property
    def awaited(self) -> list[WaitingItem]:
        """What stands in the agent's inbox: that there is something to answer, since it was told so."""
        told = [one.created_at for one in self.unanswered if one.is_dispatched]
        if not told:
            return []
        row = WaitingItem(
            workspace_id=self.workspace_id,
            agent_id=self.agent_id,
            what=What.CHAT,
            subject_id=self.id,
            title=self.title or self.topic or "A message",
            since=told[0],
        )
        return [row]

    def asked(self, message_id: str, *, at: datetime, is_dispatched: bool) -> "ThreadItem":
        """With one more message of the person's."""
        fresh = Unanswered(message_id=message_id, created_at=at, is_dispatched=is_dispatched)
        unanswered = [*self.unanswered, fresh][-MOST_UNANSWERED:]
        return self.changed(unanswered=unanswered, last_message_at=max(at, self.last_message_at))

    def begun_to_answer(self) -> "ThreadItem":
        """What the agent was told of waits no longer; what it can't know of yet still does."""
        return self.changed(unanswered=[one for one in self.unanswered if not one.is_dispatched])

    def answered(self, *, at: datetime) -> "ThreadItem":
        return self.begun_to_answer().changed(last_message_at=max(at, self.last_message_at))

    def dispatched(self, message_id: str) -> "ThreadItem":
        """The agent was told of this message."""
        return self.changed(
            unanswered=[
                one.model_copy(update={"is_dispatched": True}) if one.message_id == message_id else one
                for one in self.unanswered
            ]
        )


def is_party(caller: Caller, *, agent_id: str | None, user_id: str | None) -> bool:
    """What is said in a thread is for the two who talk. An agent's key is the agent, a run's is neither."""
    if caller.run_id is not None:
        return False
    if caller.agent_id is not None:
        return caller.agent_id == agent_id
    return caller.user_id is not None and caller.user_id == user_id


def require_party(thread: ThreadItem, caller: Caller) -> None:
    if not is_party(caller, agent_id=thread.agent_id, user_id=thread.user_id):
        raise Forbidden(
            "This thread is between another person and an agent, or another agent.",
            hint="Use a key of either, or a thread of your own: an admin opens one with threads.create.",
        )


def require_open(thread: ThreadItem) -> None:
    if thread.archived_at is not None:
        raise Conflict("This thread was archived.", hint="Go on in another: threads.create opens one.")


def no_such_thread(thread_id: str) -> NotFound:
    return NotFound(
        f"There is no thread {thread_id[:60]!r}.",
        hint="The event that tells you of a message, CHAT_MESSAGE_POSTED, has its threadId.",
    )
