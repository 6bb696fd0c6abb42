"""What belongs to no issue becomes an artifact, too: one's own note, and what was said in one's own chat."""

from tests.unit.artifacts.sources import promoted
from tests.workshop.artifacts import links
from tests.workshop.chat import a_talk
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office


def of_a_note(office: Office, body: str = "# Mondays\nIt fails then.", **more: object) -> Body:
    note = office.call("notes.create", {"body": body, **more})
    return {"sourceType": "note", "sourceId": note["id"]}


def text_of(office: Office, artifact: Body) -> str:
    return str(office.call("artifacts.get", {"id": artifact["id"]})["body"])


def test_a_note_becomes_the_workspaces_or_an_issues(office: Office) -> None:
    issue_id = an_issue(office)
    order = of_a_note(office)

    made, linked = promoted(office, order), promoted(office, order, issueId=issue_id)

    assert (made["title"], made["issueId"]) == ("Mondays", None)
    assert (made["sourceType"], made["sourceId"]) == ("note", order["sourceId"])
    assert text_of(office, made) == "# Mondays\nIt fails then."
    assert linked["issueId"] == issue_id
    assert [link.id for link in links(office, issue_id)] == [linked["id"]]
    assert promoted(office, of_a_note(office, title="Flaky"))["title"] == "Flaky"


def test_nobody_makes_anything_of_anothers_note(office: Office) -> None:
    order = of_a_note(office)

    for key in (office.a_colleague().key, office.an_agents_key()):
        assert office.refused("artifacts.promote", order, key=key) == (404, "not_found", set())


def test_a_message_is_promoted_by_either_of_the_two_who_talk(office: Office) -> None:
    talk = a_talk(office)
    asked, answered = talk.ask("Which table?"), talk.reply("One table.\nBecause.")

    by_person = promoted(office, {"sourceType": "chat-message", "sourceId": answered})
    by_agent = promoted(office, {"sourceType": "chat-message", "sourceId": asked}, key=talk.agent_key)

    assert (by_person["title"], text_of(office, by_person)) == ("One table.", "One table.\nBecause.")
    assert (by_agent["title"], by_agent["createdByAgentId"]) == ("Which table?", talk.agent_id)


def test_others_make_nothing_of_a_message(office: Office, other_office: Office) -> None:
    order = {"sourceType": "chat-message", "sourceId": a_talk(office).ask()}

    for key in (office.a_colleague().key, office.an_agents_key(office.an_agent("other")["id"])):
        assert office.refused("artifacts.promote", order, key=key) == (403, "forbidden", set())
    assert other_office.refused("artifacts.promote", order) == (404, "not_found", set())
    unknown = {"sourceType": "chat-message", "sourceId": "msg_none"}
    assert office.refused("artifacts.promote", unknown) == (404, "not_found", set())


def test_an_entry_without_a_word_and_an_unknown_issue_make_none(office: Office) -> None:
    empty = {"sourceType": "note", "sourceId": office.call("notes.todayJournal")["id"]}

    assert office.refused("artifacts.promote", empty)[:2] == (409, "conflict")
    astray = of_a_note(office) | {"issueId": "iss_none"}
    assert office.refused("artifacts.promote", astray) == (400, "invalid_input", {"issueId"})
    assert office.rows("artifacts.list") == []


def test_a_narrowed_key_makes_one_for_an_issue_that_it_sees_alone(office: Office) -> None:
    project_id = str(office.call("projects.create", {"key": "SITE", "name": "Website"})["id"])
    issue_id, order = an_issue(office, projectId=project_id), of_a_note(office)
    key = str(office.a_key(projectIds=[project_id])["rawKey"])

    assert office.refused("artifacts.promote", order, key=key)[:2] == (403, "forbidden")
    assert promoted(office, order, key=key, issueId=issue_id)["issueId"] == issue_id
