"""Names after an @ are looked up; whoever they belong to watches the issue."""

from tests.workshop.comments import a_comment, comment_events, watching
from tests.workshop.issues import an_issue, watchers
from tests.workshop.office import Body, Office


def mentions(office: Office) -> Body:
    """Of the last comment."""
    found: Body = comment_events(office)[-1].payload["mentions"]
    return found


def test_people_and_agents_are_found_by_their_names(office: Office) -> None:
    agent, person = office.an_agent("Worker-1"), office.a_colleague(handle="Ada")

    a_comment(office, an_issue(office), "@ADA, ask @worker-1 and @nobody")

    assert mentions(office) == {
        "agentIds": [agent["id"]],
        "userIds": [person.id],
        "agents": [{"id": agent["id"], "profileKey": "Worker-1"}],
    }


def test_who_watches_already_does_not_watch_twice(office: Office) -> None:
    issue_id, person = an_issue(office), office.a_colleague(handle="ada")
    office.call("issues.watch", {"issueId": issue_id}, key=person.key)
    office.world.clock.advance(minutes=1)

    a_comment(office, issue_id, "@ada")
    a_comment(office, issue_id, "@ada")

    assert watching(office, person.id) == [issue_id]


def test_a_member_who_left_is_not_mentioned(office: Office) -> None:
    issue_id, person = an_issue(office), office.a_colleague(handle="ada")
    office.call("members.remove", {"userId": person.id})

    a_comment(office, issue_id, "@ada?")

    assert mentions(office)["userIds"] == []
    assert watchers(office, issue_id) == {office.owner_id}


def test_eight_agents_and_ten_names_can_be_mentioned(office: Office) -> None:
    issue_id = an_issue(office)
    agents = [office.an_agent(f"agent{number}")["id"] for number in range(8)]
    people = [office.a_colleague(handle=f"user{number}").id for number in range(2)]
    named = [*(f"@agent{number}" for number in range(8)), "@user0 @user1"]
    unknown = [f"@unknown{number}" for number in range(30)]

    a_comment(office, issue_id, " ".join([*unknown, *named]))

    assert mentions(office)["agentIds"] == agents
    assert watchers(office, issue_id) == {office.owner_id, *agents, *people}


def test_a_name_is_found_after_any_number_of_other_words(office: Office) -> None:
    issue_id, agent, person = an_issue(office), office.an_agent("worker"), office.a_colleague(handle="ada")
    unknown = " ".join(f"@unknown{number}" for number in range(120))

    a_comment(office, issue_id, f"{unknown} @worker @ada")
    assert watchers(office, issue_id) == {office.owner_id}
    office.sweep()

    assert watchers(office, issue_id) == {office.owner_id, agent["id"], person.id}
