"""Polls: one vote for each person, tallies that are exact, and a vote that ends for good."""

from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.requests import OPTIONS, a_poll, asked, request_events


def vote(office: Office, poll: str, option: str, *, key: str) -> Body:
    return office.call("actionRequests.vote", {"id": poll, "optionKey": option}, key=key)


def results(office: Office, poll: str, **how: str) -> Body:
    return office.call("actionRequests.results", {"id": poll}, **how)


def test_the_contracts_flow_from_question_to_winner(office: Office) -> None:
    agent_key = office.an_agents_key()
    poll = a_poll(office, key=agent_key, issueId=an_issue(office))
    people = [office.a_colleague() for _ in range(3)]

    before = results(office, poll)
    cast = [
        vote(office, poll, option, key=person.key)
        for option, person in zip(("isolate", "isolate", "retry"), people, strict=True)
    ]
    during = results(office, poll, key=people[0].key)
    closed = office.call("actionRequests.closeVoting", {"id": poll}, key=agent_key)
    after = results(office, poll)

    assert before["options"][0] == {
        "optionKey": "retry",
        "label": OPTIONS[0]["label"],
        "description": OPTIONS[0]["description"],
        "count": 0,
        "firstVoteAt": None,
    }
    assert (before["total"], before["myVote"], before["winningOptionKey"]) == (0, None, None)
    assert cast[0] == {"id": poll, "optionKey": "isolate", "changed": False}
    assert [option["count"] for option in during["options"]] == [1, 2, 0]
    assert (during["total"], during["myVote"], during["winningOptionKey"]) == (3, "isolate", None)
    assert closed == {"id": poll, "winningOptionKey": "isolate"}
    assert (after["winningOptionKey"], bool(after["votingClosedAt"])) == ("isolate", True)
    (row,) = office.rows("actionRequests.list", {"id": poll})
    assert (row["status"], row["votingClosedAt"]) == ("OPEN", after["votingClosedAt"])


def test_a_changed_vote_counts_once_and_from_when_it_was_first_cast(office: Office) -> None:
    poll, ada = a_poll(office), office.a_colleague()
    first_vote = office.world.clock().isoformat().replace("+00:00", "Z")
    vote(office, poll, "retry", key=ada.key)
    office.world.clock.advance(minutes=1)

    changed = vote(office, poll, "rewrite", key=ada.key)
    same = vote(office, poll, "rewrite", key=ada.key)

    standing = {one["optionKey"]: one for one in results(office, poll)["options"]}
    assert (changed["changed"], same["changed"]) == (True, False)
    assert [standing[key]["count"] for key in ("retry", "rewrite")] == [0, 1]
    assert standing["rewrite"]["firstVoteAt"] == first_vote
    told = [row.payload for row in request_events(office)[1:]]
    assert told == [
        {"optionKey": "retry", "previousOptionKey": None, "changed": False},
        {"optionKey": "rewrite", "previousOptionKey": "retry", "changed": True},
    ]


def test_after_closing_nobody_votes_and_nobody_closes_again(office: Office) -> None:
    poll = a_poll(office)
    office.call("actionRequests.closeVoting", {"id": poll})

    late = office.refused("actionRequests.vote", {"id": poll, "optionKey": "retry"})
    again = office.refused("actionRequests.closeVoting", {"id": poll})

    assert late == again == (409, "conflict", set())
    assert results(office, poll)["total"] == 0


def test_only_who_asked_closes_the_vote(office: Office) -> None:
    agent = office.an_agent()
    by_agent = a_poll(office, key=office.an_agents_key(agent["id"]))
    by_owner = a_poll(office)
    other_agent = office.an_agents_key(office.an_agent("other")["id"])

    for poll, key in ((by_agent, office.owner_key), (by_agent, other_agent), (by_owner, other_agent)):
        refused = office.refused("actionRequests.closeVoting", {"id": poll}, key=key)
        assert refused == (403, "forbidden", set())


def test_a_vote_names_an_option_of_a_poll_and_is_a_persons(office: Office) -> None:
    poll, question, agent_key = a_poll(office), asked(office), office.an_agents_key()

    unknown = office.refused("actionRequests.vote", {"id": poll, "optionKey": "pray"})
    no_poll = office.refused("actionRequests.vote", {"id": question, "optionKey": "retry"})
    by_agent = office.refused("actionRequests.vote", {"id": poll, "optionKey": "retry"}, key=agent_key)

    assert unknown == (400, "invalid_input", {"optionKey"})
    assert no_poll == (400, "invalid_input", {"id"})
    assert by_agent == (403, "forbidden", set())
    for tool in ("results", "closeVoting"):
        assert office.refused(f"actionRequests.{tool}", {"id": question}) == (400, "invalid_input", {"id"})


def test_an_agent_sees_how_its_poll_stands_and_what_won(office: Office) -> None:
    key = office.an_agents_key()
    poll = a_poll(office, key=key)
    office.call("actionRequests.vote", {"id": poll, "optionKey": "isolate"})

    during = results(office, poll, key=key)
    office.call("actionRequests.closeVoting", {"id": poll}, key=key)
    after = results(office, poll, key=key)

    assert (during["total"], during["myVote"], during["winningOptionKey"]) == (1, None, None)
    assert after["winningOptionKey"] == "isolate"
