"""What is told of a thread: that somebody wrote, and never what."""

from forge.contract.effects import Emission, Told
from forge.work.record.log.kinds import EventKind

THREAD = "chat-thread"


class MessagePosted(Told):
    """`retry` where an agent that did not answer is told once more."""

    thread_id: str
    message_id: str
    agent_id: str
    user_id: str | None = None
    """The person in the thread, whoever wrote; rows from before have none."""
    role: str
    source_run_id: str | None = None
    finalized_draft_id: str | None = None
    retry: bool | None = None
    retry_reason: str | None = None


MESSAGE_POSTED = Emission(EventKind.CHAT_MESSAGE_POSTED, THREAD, MessagePosted)
