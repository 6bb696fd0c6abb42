"""issues.watch and issues.unwatch: whoever the key stands for follows an issue, or stops."""

from tests.workshop.issues import an_agents_key, an_issue, assign, head, now, watchers, woken
from tests.workshop.office import Body, Office


def watch(office: Office, issue_id: str, **how: str) -> Body:
    return office.call("issues.watch", {"issueId": issue_id}, **how)


def unwatch(office: Office, issue_id: str, **how: str) -> Body:
    return office.call("issues.unwatch", {"issueId": issue_id}, **how)


def test_a_persons_key_watches_for_the_person(office: Office) -> None:
    issue_id, colleague = an_issue(office), office.a_colleague()

    row = watch(office, issue_id, key=colleague.key)

    assert (row["issueId"], row["userId"], row["agentId"]) == (issue_id, colleague.id, None)
    assert row["wakeOnActivity"] is False
    assert watchers(office, issue_id) == {office.owner_id, colleague.id}


def test_an_agents_key_watches_for_the_agent(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]

    row = watch(office, issue_id, key=an_agents_key(office, agent_id))

    assert (row["userId"], row["agentId"], row["wakeOnActivity"]) == (None, agent_id, False)
    assert watchers(office, issue_id) == {office.owner_id, agent_id}


def test_only_who_has_the_issue_is_woken_by_what_happens(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    key = an_agents_key(office, agent_id)
    assign(office, issue_id, agent_id)

    having = watch(office, issue_id, key=key)
    assign(office, issue_id, None)
    former = watch(office, issue_id, key=key)

    assert (having["wakeOnActivity"], former["wakeOnActivity"]) == (True, False)
    assert having["id"] == former["id"]


def test_watching_announces_nothing_and_is_no_news_of_the_issue(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    assign(office, issue_id, agent_id)
    before, place = head(office, issue_id), len(office.log())
    office.world.clock.advance(minutes=1)
    colleague = office.a_colleague()
    place = len(office.log())

    watch(office, issue_id, key=colleague.key)
    unwatch(office, issue_id, key=colleague.key)

    assert [row.kind for row in office.log()[place:]] == [None, None]
    assert [row.issue_id for row in office.log()[place:]] == [issue_id, issue_id]
    assert woken(office, place) == []
    assert head(office, issue_id) == before


def test_whoever_stops_is_in_no_list_any_more(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    key = an_agents_key(office, agent_id)
    watch(office, issue_id, key=key)

    assert unwatch(office, issue_id, key=key) == {"ok": True}

    assert watchers(office, issue_id) == {office.owner_id}
    assert office.rows("issues.listWatching", {}, key=key) == []


def test_whoever_never_watched_may_stop_too(office: Office) -> None:
    issue_id, colleague = an_issue(office), office.a_colleague()
    rows = len(office.log())

    assert unwatch(office, issue_id, key=colleague.key) == {"ok": True}

    assert len(office.log()) == rows


def test_whoever_stopped_may_begin_again(office: Office) -> None:
    issue_id = an_issue(office)
    unwatch(office, issue_id)
    office.world.clock.advance(minutes=1)

    watch(office, issue_id)

    (row,) = office.rows("issues.listWatching")
    assert row["issue"]["id"] == issue_id
    assert row["createdAt"][:19] == now(office).isoformat()[:19]
