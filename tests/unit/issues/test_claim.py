"""issues.claim of one issue by its id: who has it, for how long, and who gets it afterwards."""

from datetime import timedelta

from tests.workshop.issues import (
    a_queued_issue,
    an_agents_key,
    an_issue,
    block,
    head,
    held,
    now,
    queue,
    status_id,
)
from tests.workshop.office import Body, Office


def claim(office: Office, issue_id: str, minutes: int = 60, **how: str) -> Body:
    return office.call("issues.claim", {"issueId": issue_id, "claimTtlMinutes": minutes}, **how)


def minutes_left(office: Office, issue_id: str) -> float:
    expires_at = head(office, issue_id).claim_expires_at
    assert expires_at is not None
    return (expires_at - now(office)).total_seconds() / 60


def test_a_person_has_the_issue_for_an_hour(office: Office) -> None:
    issue_id = an_issue(office)

    claimed = office.call("issues.claim", {"issueId": issue_id})["claimed"]

    assert (claimed["id"], claimed["claimedById"]) == (issue_id, office.owner_id)
    assert "claimedByAgentId" not in claimed
    issue = head(office, issue_id)
    assert (issue.claimed_at, minutes_left(office, issue_id)) == (now(office), 60)
    assert issue.assignee_ids == {office.owner_id}


def test_what_somebody_else_has_is_not_given(office: Office) -> None:
    issue_id = an_issue(office)
    claim(office, issue_id)
    before, rows = head(office, issue_id), len(office.log())
    agents_key = an_agents_key(office, office.an_agent()["id"])
    colleague = office.a_colleague()
    rows = len(office.log())

    for key in (agents_key, colleague.key):
        refused = claim(office, issue_id, key=key)
        assert (refused["claimed"], refused["reason"]) == (None, "already-claimed")
        assert refused["heldBy"]["by"] == "claim"
        assert refused["heldBy"]["user"]["id"] == office.owner_id
        assert refused["heldBy"]["until"][:19] == str(before.claim_expires_at).replace(" ", "T")[:19]

    assert (head(office, issue_id), len(office.log())) == (before, rows)


def test_to_claim_again_is_to_keep_it_longer(office: Office) -> None:
    issue_id, agent_id = an_issue(office), office.an_agent()["id"]
    claim(office, issue_id, 30, key=an_agents_key(office, agent_id))
    office.world.clock.advance(minutes=20)

    again = claim(office, issue_id, 30, key=an_agents_key(office, agent_id))

    assert again["claimed"]["id"] == issue_id
    assert minutes_left(office, issue_id) == 30


def test_by_its_id_an_issue_is_given_though_it_is_not_queued_but_not_where_it_is_blocked(
    office: Office,
) -> None:
    blocker, blocked = an_issue(office), an_issue(office)
    block(office, blocker, blocked)

    assert claim(office, blocker)["claimed"]["id"] == blocker
    refused = claim(office, blocked)
    assert (refused["claimed"], refused["reason"], refused["heldBy"]["by"]) == (None, "blocked", "blocker")
    assert refused["heldBy"]["blockedBy"] == [office.call("issues.get", {"id": blocker})["identifier"]]


def test_a_queue_that_gives_nothing_says_why(office: Office) -> None:
    answers = [office.call("issues.claim", {})]
    blocker, blocked = an_issue(office), a_queued_issue(office)
    block(office, blocker, blocked)
    answers.append(office.call("issues.claim", {}))
    claim(office, a_queued_issue(office), key=(bob := office.a_colleague(handle="bob")).key)
    answers.append(office.call("issues.claim", {}))

    assert [one["reason"] for one in answers] == ["nothing-queued", "all-blocked", "all-claimed"]
    assert [one.get("heldBy", {}).get("by") for one in answers] == [None, "blocker", "claim"]
    assert answers[2]["heldBy"]["user"]["id"] == bob.id


def test_a_write_of_the_holder_keeps_the_claim(office: Office) -> None:
    key, issue_id = office.an_agents_key(office.an_agent()["id"]), an_issue(office)
    office.call("issues.claim", {"issueId": issue_id, "claimTtlMinutes": 60}, key=key)

    kept = []
    for minutes in (29, 2, 35):
        office.world.clock.advance(minutes=minutes)
        office.call("comments.create", {"issueId": issue_id, "body": "Going on."}, key=key)
        kept.append(head(office, issue_id).claim_expires_at)

    now = office.world.clock()
    assert kept == [now - timedelta(minutes=6), now + timedelta(minutes=25), now + timedelta(minutes=60)]


def test_closing_and_handing_over_end_a_claim(office: Office) -> None:
    worker, closed, handed = office.an_agent("worker"), an_issue(office), an_issue(office)
    office.an_agent("reviewer")
    key = office.an_agents_key(worker["id"])
    for issue_id in (closed, handed):
        office.call("issues.claim", {"issueId": issue_id}, key=key)

    office.call("issues.transition", {"id": closed, "statusId": status_id(office, "DONE")}, key=key)
    order = {"issueId": handed, "toProfileKey": "reviewer", "rationale": "Needs a review."}
    office.call("issues.reassign", order, key=key)

    assert [head(office, one).claimant_id for one in (closed, handed)] == [None, None]


def test_with_its_bundle_a_claim_tells_all_that_the_work_needs(office: Office) -> None:
    agent_id = office.an_agent()["id"]
    key, issue_id = an_agents_key(office, agent_id), a_queued_issue(office, description="It hangs.")

    claimed = office.call("issues.claim", {"include": "bundle"}, key=key)

    bundle = office.call("agent.context.bundle", {"issueId": issue_id}, key=key)
    assert claimed["bundle"] == bundle
    assert bundle["issue"]["claimedByAgentId"] == agent_id
    assert claimed["claimed"] == {
        name: bundle["issue"][name] for name in ("id", "identifier", "claimExpiresAt")
    }


def test_a_person_who_takes_what_another_wrote_is_in_its_bundle(office: Office) -> None:
    issue_id = a_queued_issue(office)
    colleague = office.a_colleague()

    claimed = office.call("issues.claim", {"include": "bundle"}, key=colleague.key)

    bundle = office.call("agent.context.bundle", {"issueId": issue_id}, key=colleague.key)
    assert claimed["bundle"] == bundle
    assert [one["id"] for one in bundle["issue"]["assignees"]] == [colleague.id]


def test_a_claimed_issue_leaves_the_queue_but_stays_queued(office: Office) -> None:
    issue_id = a_queued_issue(office)

    claimed = claim(office, issue_id)["claimed"]

    assert claimed["queued"] is True
    assert (queue(office), held(office)) == ([], [issue_id])


def test_keeping_it_longer_leaves_one_row_behind(office: Office) -> None:
    issue_id = a_queued_issue(office)
    claim(office, issue_id, 10)
    office.world.clock.advance(minutes=5)

    claim(office, issue_id, 10)

    assert (queue(office), held(office)) == ([], [issue_id])
