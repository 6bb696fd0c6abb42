"""The bundle of a thread: who talks, what was said, and which issues it is about."""

from forge.contract.terms import Scope
from forge.work.issues.pages.sizes import MAX_ANSWER
from functions.agent.repository import MAX_MESSAGES
from tests.workshop.chat import Talk, a_talk
from tests.workshop.office import Body, Office


def bundle(talk: Talk, *, key: str | None = None) -> Body:
    office = talk.office
    return office.call("agent.context.bundle", {"threadId": talk.thread_id}, key=key or talk.agent_key)


def test_an_agent_gets_what_it_needs_to_answer(office: Office) -> None:
    talk = a_talk(office, title="Release")
    asked = talk.ask("Ready?", contextSnapshot={"page": "board"})
    replied = talk.reply("Nearly.")

    shown = bundle(talk)

    assert shown.keys() == {"workspace", "thread", "messages", "agent", "linkedIssues"}
    assert shown["workspace"]["key"] == office.workspace.key_prefix
    assert (shown["thread"]["id"], shown["thread"]["title"]) == (talk.thread_id, "Release")
    assert "summaryMarkdown" not in shown["thread"]
    first, second = shown["messages"]
    assert (first["id"], first["role"], first["contextSnapshot"]) == (asked, "USER", {"page": "board"})
    assert (second["id"], second["role"], "contextSnapshot" in second) == (replied, "AGENT", False)
    assert (shown["agent"], shown["linkedIssues"]) == (None, [])


def test_a_person_is_told_whom_they_talk_with(office: Office) -> None:
    talk = a_talk(office)
    office.call("agents.heartbeat", {"status": "BUSY"}, key=talk.agent_key)

    assert bundle(talk, key=office.owner_key)["agent"] == {
        "id": talk.agent_id,
        "profileKey": "worker",
        "name": "Worker",
        "status": "BUSY",
        "provider": "HERMES",
    }


def test_issues_in_snapshots_are_shown_by_id_or_identifier_and_each_once(office: Office) -> None:
    talk = a_talk(office)
    first, second = (office.call("issues.create", {"title": title}) for title in ("One", "Two"))
    talk.ask(contextSnapshot={"issueId": first["id"], "list": [second["identifier"].lower(), "UTF-8"]})
    talk.ask(contextSnapshot={"again": first["identifier"], "gone": "iss_999999", "other": "OTHER-1"})

    linked = bundle(talk)["linkedIssues"]

    assert [(one["id"], one["title"], one["status"]) for one in linked] == [
        (first["id"], "One", "Backlog"),
        (second["id"], "Two", "Backlog"),
    ]
    assert {one["identifier"] for one in linked} == {first["identifier"], second["identifier"]}


def test_a_narrowed_agent_sees_of_linked_issues_its_own(office: Office) -> None:
    talk = a_talk(office)
    project_id = office.call("projects.create", {"key": "MINE", "name": "Mine"})["id"]
    mine = office.call("issues.create", {"title": "Mine", "projectId": project_id})["id"]
    other = office.call("issues.create", {"title": "Other"})["id"]
    talk.ask(contextSnapshot={"issues": [mine, other]})
    made = office.a_key(kind="AGENT", linkedAgentId=talk.agent_id, projectIds=[project_id])

    shown = bundle(talk, key=made["rawKey"])

    assert [one["id"] for one in shown["linkedIssues"]] == [mine]
    assert "contextSnapshot" not in shown["messages"][0]
    person = office.a_colleague().id
    narrowed = office.a_key(userId=person, projectIds=[project_id])["rawKey"]
    order = {"threadId": talk.thread_id}
    assert office.refused("agent.context.bundle", order, key=narrowed) == (403, "forbidden", set())


def test_the_newest_messages_are_shown_and_long_ones_cut(office: Office) -> None:
    talk = a_talk(office)
    for number in range(MAX_MESSAGES + 1):
        talk.ask(str(number))

    shown = bundle(talk)

    assert [one["body"] for one in shown["messages"]][::49] == ["1", str(MAX_MESSAGES)]
    assert shown["messagesTruncated"] is True
    for _ in range(10):
        talk.reply("\n" * 15_999 + ".")
    cut = office.send("agent.context.bundle", {"threadId": talk.thread_id}, key=talk.agent_key)
    assert len(cut.body) <= MAX_ANSWER
    assert '"bodyTruncated":true' in cut.body


def test_another_persons_or_agents_thread_is_refused_and_an_unknown_one_not_found(
    office: Office, other_office: Office
) -> None:
    talk, other = a_talk(office), a_talk(office, "other")
    order = {"threadId": talk.thread_id}

    assert office.refused("agent.context.bundle", order, key=other.agent_key) == (403, "forbidden", set())
    assert other_office.refused("agent.context.bundle", order) == (404, "not_found", set())
    colleague = office.a_colleague("ADMIN").key
    assert office.refused("agent.context.bundle", order, key=colleague) == (403, "forbidden", set())
    reader = office.a_key(scopes=[Scope.READ_ISSUES])["rawKey"]
    assert bundle(talk, key=reader)["messages"] == []
