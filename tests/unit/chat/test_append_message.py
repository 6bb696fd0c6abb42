"""An agent answers in its own threads, and its answer wakes nobody."""

from tests.workshop.chat import a_run, a_talk
from tests.workshop.office import Office


def test_a_reply_is_read_in_the_thread_and_answers_what_waited(office: Office) -> None:
    talk = a_talk(office)
    asked = talk.ask()
    run_id = a_run(talk)

    posted = talk.as_agent("chat.appendMessage", body="Done.", sourceRunId=run_id)

    assert posted == {"messageId": posted["messageId"], "threadId": talk.thread_id}
    (newest, _) = talk.read()["messages"]
    assert (newest["id"], newest["role"], newest["body"]) == (posted["messageId"], "AGENT", "Done.")
    assert newest["sourceRunId"] == run_id
    question = talk.message(asked)
    assert question.acknowledged_at == question.output_started_at == office.world.clock()
    assert talk.thread.last_message_at == office.world.clock()


def test_it_is_told_without_its_words_and_wakes_nobody(office: Office) -> None:
    talk = a_talk(office)
    message_id = talk.reply("Between us.")

    row = office.log()[-1]

    assert (row.kind, row.subject_type, row.subject_id) == (
        "CHAT_MESSAGE_POSTED",
        "chat-thread",
        talk.thread_id,
    )
    assert row.payload == {
        "threadId": talk.thread_id,
        "messageId": message_id,
        "agentId": talk.agent_id,
        "userId": office.owner_id,
        "role": "AGENT",
        "sourceRunId": None,
    }
    assert row.wakes == []
    assert "Between us" not in " ".join(one.model_dump_json() for one in office.log())


def test_a_run_must_be_one_of_the_agents_own(office: Office) -> None:
    talk, other = a_talk(office), a_talk(office, "other")

    unknown = talk.refused("chat.appendMessage", body="b", sourceRunId="run_unknown")
    foreign = talk.refused("chat.appendMessage", body="b", sourceRunId=a_run(other))

    assert unknown == (400, "invalid_input", {"sourceRunId"})
    assert foreign == (403, "forbidden", set())


def test_an_archived_thread_stays_as_it_is(office: Office) -> None:
    talk = a_talk(office)
    tx = office.begin()
    tx.replace(talk.thread.changed(archived_at=office.world.clock()))
    office.commit(tx)

    assert talk.refused("chat.appendMessage", body="b") == (409, "conflict", set())
    assert talk.refused("chat.startDraft") == (409, "conflict", set())
    assert talk.refused("chat.kickThread") == (409, "conflict", set())
    archived_at = talk.read()["thread"]["archivedAt"]
    assert archived_at is not None
