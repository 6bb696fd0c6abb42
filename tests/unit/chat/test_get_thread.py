"""An agent reads its threads back in time, and sees of the person's words what it was told of."""

from forge.work.content.chat import messages
from forge.work.issues.pages.sizes import MAX_ANSWER
from tests.workshop.chat import a_talk
from tests.workshop.office import Office


def test_what_a_person_had_before_them_is_shown_however_deep(office: Office) -> None:
    talk = a_talk(office, title=" Release ")
    snapshot = {"page": "board", "deep": {"list": [1.5, None, True]}}
    asked = talk.ask("Ready?", contextSnapshot=snapshot)

    shown = talk.read()

    (message,) = shown["messages"]
    assert (shown["thread"]["title"], shown["thread"]["lastMessageAt"]) == ("Release", message["createdAt"])
    assert (message["id"], message["contextSnapshot"]) == (asked, snapshot)
    assert shown.keys() == {"thread", "messages"}


def test_pages_lead_back_in_time_to_the_first_message(office: Office) -> None:
    talk = a_talk(office)
    said = [talk.ask(str(number)) for number in range(5)]

    first = talk.read(limit=2)
    second = talk.read(limit=2, before=first["nextCursor"])
    third = talk.read(limit=2, before=second["nextCursor"])

    pages = [[one["id"] for one in page["messages"]] for page in (first, second, third)]
    assert pages == [said[:2:-1], said[2:0:-1], said[:1]]
    assert first["nextCursor"] == first["messages"][-1]["createdAt"]
    assert "nextCursor" not in third


def test_messages_of_one_moment_are_never_parted(office: Office) -> None:
    talk = a_talk(office)
    talk.ask()
    at_once = [talk.as_agent("chat.appendMessage", body=str(number))["messageId"] for number in range(3)]

    page = talk.read(limit=2)

    assert {*at_once} < {one["id"] for one in page["messages"]}
    assert "nextCursor" not in page


def test_what_the_agent_was_not_told_of_yet_is_hidden_until_it_was(office: Office) -> None:
    talk = a_talk(office)
    message_id = talk.ask()
    hidden = talk.message(message_id)
    tx = office.begin()
    tx.adjust(hidden.key, assign={"dispatched_at": None})
    undelivered = [one.model_copy(update={"is_dispatched": False}) for one in talk.thread.unanswered]
    tx.replace(talk.thread.changed(unanswered=undelivered))
    office.commit(tx)
    assert talk.read()["messages"] == []
    assert talk.as_agent("chat.kickThread")["kicked"] is False

    for delivery_id in ("dlv_1", "dlv_2"):
        tx = office.begin()
        messages.mark_dispatched(tx, talk.thread, talk.message(message_id), delivery_id=delivery_id)
        office.commit(tx)

    (shown,) = talk.read()["messages"]
    told = talk.message(message_id)
    assert shown["id"] == message_id
    assert (told.wake_attempts, told.last_wake_delivery_id) == (2, "dlv_2")
    assert talk.as_agent("chat.kickThread")["chatMessageId"] == message_id


def test_a_long_thread_is_cut_where_an_answer_ends(office: Office) -> None:
    talk = a_talk(office)
    for _ in range(5):
        talk.reply('"' * 10_000)

    page = talk.read()
    rest = talk.read(before=page["nextCursor"])

    assert page["truncated"] is True
    assert len(page["messages"]) == 1
    assert len(str(rest)) < MAX_ANSWER
    assert page["messages"][0] not in rest["messages"]


def test_a_narrowed_key_is_not_shown_what_the_person_had_before_them(office: Office) -> None:
    talk = a_talk(office)
    talk.ask(contextSnapshot={"secret": "of another project"})
    project_id = office.call("projects.create", {"key": "SITE", "name": "Website"})["id"]
    made = office.a_key(kind="AGENT", linkedAgentId=talk.agent_id, projectIds=[project_id])
    key = str(made["rawKey"])

    (message,) = office.call("chat.getThread", {"threadId": talk.thread_id}, key=key)["messages"]

    assert (message["body"], message["contextSnapshot"]) == ("How far are you?", None)


def test_only_its_agent_reads_a_thread(office: Office, other_office: Office) -> None:
    talk, other = a_talk(office), a_talk(office, "other")
    order = {"threadId": talk.thread_id}

    assert office.refused("chat.getThread", order, key=other.agent_key) == (403, "forbidden", set())
    assert other_office.refused("chat.getThread", order, key=a_talk(other_office).agent_key)[0] == 404
    for wrong in ({"limit": 0}, {"limit": 201}, {"before": "yesterday"}):
        assert talk.refused("chat.getThread", **wrong) == (400, "invalid_input", set(wrong))
