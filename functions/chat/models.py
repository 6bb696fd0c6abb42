"""What agents say in threads, and how they see them."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from forge.contract.fields import SAYS_SOMETHING, Id, up_to
from forge.contract.models import Model, Omittable, Time

ThreadId = Annotated[Id, Field(description="The thread, as the event that woke you names it.")]
DraftId = Annotated[Id, Field(description="From chat.startDraft.")]
Body = Annotated[str, StringConstraints(min_length=1, max_length=16_000), SAYS_SOMETHING]
RunId = Annotated[Id | None, Field(description="The run of yours that it comes from.")]


class AppendMessage(Model):
    thread_id: ThreadId
    body: Annotated[Body, Field(description="Markdown.")]
    source_run_id: RunId = None


class NamedThread(Model):
    thread_id: ThreadId


class AppendDraftChunk(Model):
    thread_id: ThreadId
    draft_id: DraftId
    delta: Annotated[str, Field(min_length=1, max_length=4_000, description="What comes next of the text.")]
    seq: Annotated[
        int | None,
        Field(ge=0, le=10**9, description="Its number, if you count: sent again, it is shown once."),
    ] = None


class FinalizeDraft(Model):
    thread_id: ThreadId
    draft_id: DraftId
    body: Annotated[Body, Field(description="The whole reply, as Markdown.")]
    source_run_id: RunId = None


class GetThread(Model):
    thread_id: ThreadId
    before: Annotated[Time | None, Field(description="Only older messages: nextCursor of the last page.")] = (
        None
    )
    limit: Annotated[int, up_to(200, "messages")] = 50


class PostedMessage(Model):
    message_id: str
    thread_id: str


class StartedDraft(Model):
    draft_id: str
    thread_id: str


class FinalizedDraft(Model):
    message_id: str
    thread_id: str
    draft_id: str


class KickedThread(Model):
    ok: bool = True
    kicked: bool
    chat_message_id: Omittable[str] = None
    reason: Omittable[Literal["no-unacked-user-message"]] = None
