"""People open threads with agents and write in them; the agent is woken, and nobody else."""

from tests.workshop.chat import Talk, a_talk
from tests.workshop.events import is_to_be_told
from tests.workshop.office import Office


def is_default(talk: Talk, thread_id: str) -> bool:
    order = {"threadId": thread_id}
    shown = talk.office.call("chat.getThread", order, key=talk.agent_key)
    return bool(shown["thread"]["isDefault"])


def test_the_first_thread_of_two_is_their_default_and_names_will_do(office: Office) -> None:
    talk = a_talk(office, "planner")
    colleague = office.a_colleague(handle="ada")

    second = office.call("threads.create", {"agentId": "Planner"})
    of_another = office.call("threads.create", {"agentId": "planner", "userId": "ada", "title": " "})

    assert second.keys() == {"id"}
    made = [talk.thread_id, second["id"], of_another["id"]]
    assert [is_default(talk, one) for one in made] == [True, False, True]
    shown = office.call("chat.getThread", {"threadId": of_another["id"]}, key=talk.agent_key)["thread"]
    assert (shown["userId"], shown["title"]) == (colleague.id, None)


def test_of_two_threads_opened_at_once_one_is_the_default(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    quicker: list[str] = []

    def open_one() -> str:
        return str(office.call("threads.create", {"agentId": agent_id})["id"])

    office.meanwhile(lambda: quicker.append(open_one()))
    slower = open_one()

    talk = Talk(office, slower, agent_id, office.an_agents_key(agent_id))
    assert [is_default(talk, one) for one in (*quicker, slower)] == [True, False]


def test_what_a_person_writes_wakes_the_agent_of_the_thread(office: Office) -> None:
    talk = a_talk(office)
    message_id = talk.ask("Between us.")

    row = office.log()[-1]

    assert (row.kind, row.actor_user_id) == ("CHAT_MESSAGE_POSTED", office.owner_id)
    assert row.payload == {
        "threadId": talk.thread_id,
        "messageId": message_id,
        "agentId": talk.agent_id,
        "userId": office.owner_id,
        "role": "USER",
    }
    assert [(wake.agent_id, wake.run_id) for wake in row.wakes] == [(talk.agent_id, None)]
    assert is_to_be_told(office.world.services.store, row)
    assert "Between us" not in " ".join(one.model_dump_json() for one in office.log())


def test_an_archived_agent_is_neither_asked_nor_given_a_thread(office: Office) -> None:
    talk = a_talk(office)
    office.call("agents.archive", {"id": talk.agent_id})

    post = office.refused("threads.post", {"threadId": talk.thread_id, "body": "b"})
    create = office.refused("threads.create", {"agentId": talk.agent_id})

    assert post == create == (409, "conflict", set())


def test_a_wrong_field_is_named(tableless_office: Office) -> None:
    for field, value in (("body", ""), ("body", "b" * 16_001), ("contextSnapshot", {"long": "x" * 20_000})):
        order = {"threadId": "thr_1", "body": "b", field: value}
        assert tableless_office.refused("threads.post", order) == (400, "invalid_input", {field})


def test_operators_write_for_others_and_the_log_tells_who_it_was(office: Office) -> None:
    colleague = office.a_colleague()
    talk = a_talk(office, userId=colleague.id)

    talk.ask("For somebody else.")

    assert talk.thread.user_id == colleague.id
    assert office.log()[-1].actor_user_id == office.owner_id


def test_a_person_lists_and_reads_their_own_threads_and_no_others(office: Office) -> None:
    admin = office.a_colleague("ADMIN")
    first, second = a_talk(office, "planner"), a_talk(office, "worker")
    office.world.clock.advance(minutes=1)
    office.call("threads.post", {"threadId": first.thread_id, "body": "How far are you?"})

    listed = office.rows("threads.list")
    read = office.call("threads.get", {"threadId": first.thread_id})

    assert [one["id"] for one in listed] == [first.thread_id, second.thread_id]
    assert read["messages"][0]["body"] == "How far are you?"
    assert office.rows("threads.list", key=admin.key) == []
    order = {"threadId": first.thread_id}
    assert office.refused("threads.get", order, key=admin.key) == (403, "forbidden", set())
