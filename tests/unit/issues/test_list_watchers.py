"""issues.listWatchers: the people and agents who follow an issue."""

from tests.workshop.issues import an_agents_key, an_issue, assign
from tests.workshop.office import Body, Office


def listed(office: Office, issue_id: str, **how: str) -> list[Body]:
    return office.rows("issues.listWatchers", {"issueId": issue_id}, **how)


def test_people_and_agents_are_shown_with_their_names(office: Office) -> None:
    office.call("members.update", {"userId": office.owner_id, "name": "Olga", "handle": "olga"})
    issue_id, agent = an_issue(office), office.an_agent("worker", name="Wanda")
    assign(office, issue_id, agent["id"])

    rows = {row["userId"] or row["agentId"]: row for row in listed(office, issue_id)}

    assert rows.keys() == {office.owner_id, agent["id"]}
    person, worker = rows[office.owner_id], rows[agent["id"]]
    assert person["user"] == {"id": office.owner_id, "name": "Olga", "handle": "olga"}
    assert (person["agent"], person["wakeOnActivity"]) == (None, False)
    assert worker["agent"] == {"id": agent["id"], "profileKey": "worker", "name": "Wanda"}
    assert (worker["user"], worker["wakeOnActivity"]) == (None, True)


def test_who_had_the_issue_is_not_woken_any_more(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    assign(office, issue_id, None)

    (row,) = [row for row in listed(office, issue_id) if row["agentId"]]

    assert (row["agentId"], row["wakeOnActivity"]) == (agent_id, False)


def test_whoever_watched_first_comes_first(office: Office) -> None:
    agents = [office.an_agent(name)["id"] for name in ("one", "two", "three")]
    issue_id = an_issue(office)
    watching = [office.owner_id]
    for agent_id in reversed(agents):
        office.world.clock.advance(minutes=1)
        office.call("issues.watch", {"issueId": issue_id}, key=an_agents_key(office, agent_id))
        watching.append(agent_id)

    rows = listed(office, issue_id)

    assert [row["userId"] or row["agentId"] for row in rows] == watching


def test_who_left_the_workspace_keeps_only_the_id(office: Office) -> None:
    issue_id, colleague = an_issue(office), office.a_colleague()
    office.call("issues.watch", {"issueId": issue_id}, key=colleague.key)
    office.call("members.remove", {"userId": colleague.id})

    (row,) = [row for row in listed(office, issue_id) if row["userId"] == colleague.id]

    assert row["user"] == {"id": colleague.id, "name": None, "handle": None}


def test_an_issue_that_nobody_watches_has_an_empty_list(office: Office) -> None:
    issue_id = an_issue(office)
    office.call("issues.unwatch", {"issueId": issue_id})

    assert office.call("issues.listWatchers", {"issueId": issue_id}) == {"data": []}


def test_pages_give_each_watcher_once(office: Office) -> None:
    issue_id = an_issue(office)
    watching = {office.owner_id}
    for name in ("one", "two", "three", "four"):
        agent_id = office.an_agent(name)["id"]
        office.call("issues.watch", {"issueId": issue_id}, key=an_agents_key(office, agent_id))
        watching.add(agent_id)

    found: list[str] = []
    cursor: Body = {}
    while True:
        page = office.call("issues.listWatchers", {"issueId": issue_id, "limit": 2, **cursor})
        found += [row["userId"] or row["agentId"] for row in page["data"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}

    assert (len(found), set(found)) == (5, watching)


def test_the_cursor_of_another_issue_is_a_mistake(office: Office) -> None:
    first, second = an_issue(office), an_issue(office)
    agent_id = office.an_agent()["id"]
    office.call("issues.watch", {"issueId": first}, key=an_agents_key(office, agent_id))
    cursor = office.call("issues.listWatchers", {"issueId": first, "limit": 1})["nextCursor"]

    refused = office.refused("issues.listWatchers", {"issueId": second, "cursor": cursor})

    assert refused == (400, "invalid_input", {"cursor"})
