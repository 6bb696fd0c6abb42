"""The chat's tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.models import Done
from forge.contract.terms import Actor, Scope
from forge.contract.tools import Namespace
from forge.work.content.chat import drafts, messages, threads
from forge.work.content.chat.announcements import MESSAGE_POSTED
from forge.work.content.chat.drafts import DraftItem
from forge.work.content.chat.messages import ChatRole
from forge.work.content.chat.views import Thread, read_thread
from functions.chat import repository
from functions.chat.models import (
    AppendDraftChunk,
    AppendMessage,
    FinalizedDraft,
    FinalizeDraft,
    GetThread,
    KickedThread,
    NamedThread,
    PostedMessage,
    StartedDraft,
)

namespace = Namespace(
    "chat",
    "Answer people who talk with you in a thread.",
    reads=[Scope.WRITE_COMMENTS],
    writes=[Scope.WRITE_COMMENTS],
    actor=Actor.AGENT,
)


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=8),
    emits=[MESSAGE_POSTED],
    asks=["answer in a chat", "post a reply in a chat", "reply to a person in chat", "send a message"],
)
def append_message(request: AppendMessage, ctx: Context) -> PostedMessage:
    """Reply in a chat thread of yours with a whole message.

    To show it while you write it, use chat.startDraft instead, never both for one reply. Another agent's
    thread is refused. On issues talk with comments.create.
    Example: {"threadId": "thr_01J…", "body": "Done: the build is green again."}
    """
    thread, _ = repository.open_to_reply(ctx, request.thread_id, run_id=request.source_run_id)
    message = messages.written(ctx, thread, ChatRole.AGENT, request.body, source_run_id=request.source_run_id)
    messages.reply(ctx.plan(), thread, message)
    return PostedMessage(message_id=message.id, thread_id=thread.id)


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=7),
    asks=["stream a reply", "begin a draft", "start to write a reply in a chat", "show that I am typing"],
)
def start_draft(request: NamedThread, ctx: Context) -> StartedDraft:
    """Begin a reply that the person sees while you write it; they see at once that you have begun.

    Then send what you write with chat.appendDraftChunk, and end with chat.finalizeDraft, within a day.
    Example: {"threadId": "thr_01J…"}
    """
    thread, _ = repository.open_thread(ctx, request.thread_id)
    threads.require_open(thread)
    tx = ctx.plan()
    draft = drafts.begin(tx, thread)
    messages.begin_to_answer(tx, thread)
    return StartedDraft(draft_id=draft.id, thread_id=thread.id)


@namespace.writes(
    costs=Cost(reads=1, writes=2, items=4),
    asks=["the next chunk of a streamed reply", "send tokens as they come", "append to the draft"],
)
def append_draft_chunk(request: AppendDraftChunk, ctx: Context) -> Done:
    """Show the next piece of a draft to whoever follows the thread; nothing of it is kept.

    Give seq with each or with none: a piece whose seq was sent before is shown once. After chat.finalizeDraft
    it is a conflict. Each counts as a call, so send a few a second at most.
    Example: {"threadId": "thr_01J…", "draftId": "drf_01J…", "delta": "Here's ", "seq": 0}
    """
    draft, is_stored = repository.open_draft(ctx, request)
    if not is_stored:
        seq = request.seq if request.seq is not None else repository.next_seq(ctx, draft)
        drafts.append(ctx.plan(), draft, request.delta, seq=seq, is_own_number=request.seq is not None)
    return Done()


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=10),
    emits=[MESSAGE_POSTED],
    asks=["finish a streamed reply", "end the draft", "the streamed reply is complete"],
)
def finalize_draft(request: FinalizeDraft, ctx: Context) -> FinalizedDraft:
    """Turn a draft into a message that stays; the body is all of it, whatever pieces were shown before.

    A draft becomes one message: a second time is a conflict, whose details name the message.
    Example: {"threadId": "thr_01J…", "draftId": "drf_01J…", "body": "Here's the full reply."}
    """
    key = DraftItem.at(ctx.caller.workspace_id, request.thread_id, request.draft_id)
    thread, known = repository.open_to_reply(ctx, request.thread_id, run_id=request.source_run_id, also=[key])
    draft = repository.draft_in(ctx, known, thread, request.draft_id)
    message = messages.written(
        ctx,
        thread,
        ChatRole.AGENT,
        request.body,
        source_run_id=request.source_run_id,
        finalized_draft_id=draft.id,
    )
    tx = ctx.plan()
    drafts.finalize(tx, draft, message.id)
    messages.reply(tx, thread, message)
    return FinalizedDraft(message_id=message.id, thread_id=thread.id, draft_id=draft.id)


@namespace.reads(
    costs=Cost(reads=2).up_to(reads=3, because="many of one moment are read whole"),
    asks=["what was said in a chat", "what did a person write", "show chat messages", "open a chat"],
)
def get_thread(request: GetThread, ctx: Context) -> Thread:
    """Read a chat thread of yours: who it is with, and its messages, the newest first.

    Pass nextCursor as `before` for older ones. agent.context.bundle gives the thread with all you need to
    answer. Example: {"threadId": "thr_01J…", "limit": 20}
    """
    thread, _ = repository.open_thread(ctx, request.thread_id)
    # What the agent was not told of yet is not there for it.
    return read_thread(
        ctx, thread, before=request.before, limit=request.limit, is_shown=lambda one: one.is_shown
    )


@namespace.writes(
    costs=Cost(reads=1, writes=1, items=3),
    emits=[MESSAGE_POSTED],
    asks=["a chat message was not delivered", "wake me for an unanswered message", "lost message"],
)
def kick_thread(request: NamedThread, ctx: Context) -> KickedThread:
    """Be woken once more for the newest message of a thread of yours that you did not begin to answer.

    Without one, `kicked` is false. Example: {"threadId": "thr_01J…"}
    """
    thread, _ = repository.open_thread(ctx, request.thread_id)
    threads.require_open(thread)
    if thread.waiting is None:
        return KickedThread(kicked=False, reason="no-unacked-user-message")
    messages.ask_again(ctx.plan(), thread, thread.waiting)
    return KickedThread(kicked=True, chat_message_id=thread.waiting.message_id)
