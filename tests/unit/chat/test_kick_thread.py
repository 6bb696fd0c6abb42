"""An agent that missed a message can be woken for it again."""

from tests.workshop.chat import a_talk
from tests.workshop.office import Office

NOTHING = {"ok": True, "kicked": False, "reason": "no-unacked-user-message"}


def test_the_agent_is_told_once_more_of_the_newest_message(office: Office) -> None:
    talk = a_talk(office)
    talk.ask("One.")
    newest = talk.ask("Two.")

    for _ in range(2):
        assert talk.as_agent("chat.kickThread") == {"ok": True, "kicked": True, "chatMessageId": newest}

    row = office.log()[-1]
    assert row.payload == {
        "threadId": talk.thread_id,
        "messageId": newest,
        "agentId": talk.agent_id,
        "userId": office.owner_id,
        "role": "USER",
        "retry": True,
        "retryReason": "inbox-poll-backstop",
    }
    assert [wake.agent_id for wake in row.wakes] == [talk.agent_id]


def test_what_was_answered_is_not_told_again(office: Office) -> None:
    talk = a_talk(office)
    assert talk.as_agent("chat.kickThread") == NOTHING
    talk.ask("One.")
    talk.ask("Two.")
    talk.reply()
    rows = len(office.log())

    assert talk.as_agent("chat.kickThread") == NOTHING
    assert len(office.log()) == rows
    third = talk.ask("Three.")
    assert talk.as_agent("chat.kickThread")["chatMessageId"] == third
