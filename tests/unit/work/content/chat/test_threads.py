"""Which messages wait for an agent, and who may hear what is said."""

from datetime import UTC, datetime

import pytest

from forge.context import Caller, KeyKind
from forge.errors import Conflict, Forbidden, NotFound
from forge.work.content.chat import drafts, threads
from forge.work.content.chat.drafts import WRITABLE, DraftItem, DraftStatus
from forge.work.content.chat.threads import MOST_UNANSWERED, ThreadItem

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def a_thread() -> ThreadItem:
    return ThreadItem(
        workspace_id="ws_1",
        id="thr_1",
        user_id="usr_1",
        agent_id="agt_1",
        last_message_at=NOON,
        created_at=NOON,
    )


def a_draft(**more: object) -> DraftItem:
    draft = DraftItem(
        workspace_id="ws_1", thread_id="thr_1", id="drf_1", agent_id="agt_1", ends_at=NOON + WRITABLE
    )
    return draft.changed(**more)


def caller(*, user_id: str | None = None, agent_id: str | None = None) -> Caller:
    nobody = Caller("key_1", "ws_1", KeyKind.PERSONAL, frozenset(), "session")
    return nobody.replaced(user_id=user_id, agent_id=agent_id)


def waiting_in(thread: ThreadItem) -> str | None:
    return thread.waiting.message_id if thread.waiting else None


def test_the_newest_message_that_the_agent_was_told_of_waits() -> None:
    thread = a_thread()
    for number, is_dispatched in enumerate((True, True, False)):
        thread = thread.asked(f"msg_{number}", at=NOON, is_dispatched=is_dispatched)

    assert waiting_in(a_thread()) is None
    assert waiting_in(thread) == "msg_1"
    assert waiting_in(thread.dispatched("msg_2")) == "msg_2"


def test_a_reply_answers_what_the_agent_was_told_of_and_nothing_else() -> None:
    thread = a_thread().asked("msg_1", at=NOON, is_dispatched=True)
    thread = thread.asked("msg_2", at=NOON, is_dispatched=False)

    answered = thread.answered(at=NOON)

    assert waiting_in(answered) is None
    assert waiting_in(answered.dispatched("msg_2")) == "msg_2"


def test_only_so_many_messages_wait() -> None:
    thread = a_thread()
    for number in range(MOST_UNANSWERED + 1):
        thread = thread.asked(f"msg_{number}", at=NOON, is_dispatched=True)

    assert [one.message_id for one in thread.unanswered][::19] == ["msg_1", f"msg_{MOST_UNANSWERED}"]


def test_another_agent_hears_nothing_not_even_with_the_persons_own_key() -> None:
    threads.require_party(a_thread(), caller(agent_id="agt_1"))

    for other in (caller(agent_id="agt_2"), caller(agent_id="agt_2", user_id="usr_1"), caller()):
        with pytest.raises(Forbidden):
            threads.require_party(a_thread(), other)


def test_the_person_is_a_party_and_no_other_person_is() -> None:
    threads.require_party(a_thread(), caller(user_id="usr_1"))

    with pytest.raises(Forbidden):
        threads.require_party(a_thread(), caller(user_id="usr_2"))


def test_whom_a_row_does_not_name_is_no_party() -> None:
    for nobody in (caller(), caller(user_id="usr_1"), caller(agent_id="agt_1")):
        assert not threads.is_party(nobody, agent_id=None, user_id=None)


def test_a_draft_can_be_written_on_until_it_ends_or_is_a_message() -> None:
    def require(draft: DraftItem | None) -> None:
        drafts.require_writable(draft, draft_id="drf_1", now=NOON)

    require(a_draft())
    for missing in (None, a_draft(ends_at=NOON)):
        with pytest.raises(NotFound):
            require(missing)
    with pytest.raises(Conflict) as refused:
        require(a_draft(status=DraftStatus.FINALIZED, message_id="msg_1"))
    assert refused.value.details == {"messageId": "msg_1"}
