"""One answer to what waits for an agent: counted by its heartbeat, listed by its inbox."""

from forge.work.issues.inbox.rows import What
from forge.work.issues.inbox.views import Waiting
from tests.workshop.bundles import an_agent, assign
from tests.workshop.issues import an_issue
from tests.workshop.office import Body, Office
from tests.workshop.plans import a_loop, a_step


def inbox(office: Office, key: str, **asked: object) -> list[Body]:
    return office.rows("agent.inbox", asked, key=key)


def counts(office: Office, key: str) -> Body:
    """What is not zero; the same by either tool."""
    beaten: Body = office.call("agents.heartbeat", key=key)["waiting"]
    assert office.call("agents.me", key=key)["waiting"] == beaten
    return {name: count for name, count in beaten.items() if count}


def kinds(office: Office, key: str) -> list[str]:
    return [one["what"] for one in inbox(office, key)]


def take_up(office: Office, row: Body, key: str) -> Body:
    """Makes the call that a row names."""
    return office.call(row["call"]["tool"], row["call"]["arguments"], key=key)


def a_thread(office: Office, agent_id: str, body: str = "How is it going?") -> str:
    thread_id = str(office.call("threads.create", {"agentId": agent_id, "title": "Talk"})["id"])
    office.call("threads.post", {"threadId": thread_id, "body": body})
    return thread_id


def test_nothing_waits_for_an_agent_that_nobody_called(office: Office) -> None:
    _, key = an_agent(office)

    assert (counts(office, key), inbox(office, key)) == ({}, [])


def test_an_assignment_waits_until_the_agent_is_heard_of(office: Office) -> None:
    agent_id, key = an_agent(office)
    issue_id = an_issue(office)
    run_id = assign(office, issue_id, agent_id, "EXECUTE")
    (row,) = inbox(office, key)

    assert counts(office, key) == {"runs": 1}
    assert row["call"]["arguments"]["runId"] == run_id
    assert take_up(office, row, key)["runProtocol"]["runId"] == run_id
    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "On it."}, key=key)
    assert (counts(office, key), inbox(office, key)) == ({}, [])


def test_a_run_that_fell_silent_waits_for_whoever_comes_back(office: Office) -> None:
    agent_id, key = an_agent(office)
    issue_id = an_issue(office)
    assign(office, issue_id, agent_id, "EXECUTE")
    office.call("comments.upsertStatus", {"issueId": issue_id, "body": "On it."}, key=key)

    office.world.clock.advance(minutes=6)

    assert counts(office, key) == {"runs": 1}


def test_a_mention_waits_also_in_a_run_that_waits_for_somebody(office: Office) -> None:
    agent_id, key = an_agent(office)
    profile = office.call("agents.me", key=key)["profileKey"]
    issue_id = an_issue(office)
    run_id = assign(office, issue_id, agent_id, "EXECUTE")
    office.call("runs.setWaiting", {"runId": run_id, "reason": "Which schema?"}, key=key)
    assert kinds(office, key) == []

    office.call("comments.create", {"issueId": issue_id, "body": f"@{profile} the second."})

    assert (counts(office, key), kinds(office, key)) == ({"mentions": 1}, ["mention"])
    office.call("comments.create", {"issueId": issue_id, "body": "Thanks."}, key=key)
    assert counts(office, key) == {}


def test_what_is_to_be_planned_and_judged_stands_there_with_and_without_an_issue(office: Office) -> None:
    for with_issue in (True, False):
        loop = a_loop(office, with_issue=with_issue, named=f"crew-{with_issue}-".lower())
        planner, reviewer = office.an_agents_key(loop.planner), office.an_agents_key(loop.reviewer)
        plan_id = office.call("plans.decompose", {"goalId": loop.goal_id})["planId"]

        (to_plan,) = inbox(office, planner)
        assert (to_plan["what"], counts(office, planner)) == ("toPlan", {"toPlan": 1})
        assert to_plan["then"] == {"tool": "plans.addSteps", "arguments": {"planId": plan_id}}
        take_up(office, to_plan, planner)
        added = office.call("plans.addSteps", {"planId": plan_id, "steps": [a_step()]}, key=planner)
        office.call("plans.activate", {"planId": plan_id})
        assert kinds(office, planner) == []

        loop.move(added["stepIds"][0], "REVIEW")
        (to_judge,) = inbox(office, reviewer)
        assert (to_judge["what"], counts(office, reviewer)) == ("toJudge", {"toJudge": 1})
        take_up(office, to_judge, reviewer)
        verdict = to_judge["then"]["arguments"] | {"verdict": "PASS", "feedback": "It is."}
        office.call(to_judge["then"]["tool"], verdict, key=reviewer)
        assert kinds(office, reviewer) == []


def test_words_in_a_thread_wait_until_they_are_answered(office: Office) -> None:
    agent_id, key = an_agent(office)
    thread_id = a_thread(office, agent_id)
    office.call("threads.post", {"threadId": thread_id, "body": "Hello?"})
    (row,) = inbox(office, key)

    assert (row["what"], counts(office, key)) == ("chat", {"chat": 1})
    assert take_up(office, row, key)["messages"][-1]["body"] == "Hello?"
    office.call("chat.appendMessage", {"threadId": thread_id, "body": "Well."}, key=key)
    assert counts(office, key) == {}


def test_the_oldest_comes_first_and_pages_go_on(office: Office) -> None:
    agent_id, key = an_agent(office)
    for title in ("One", "Two", "Three"):
        assign(office, an_issue(office, title=title), agent_id, "EXECUTE")
        office.world.clock.advance(seconds=1)

    first = office.call("agent.inbox", {"limit": 2}, key=key)
    rest = office.call("agent.inbox", {"limit": 2, "cursor": first["nextCursor"]}, key=key)

    titles = [row["title"] for page in (first, rest) for row in page["data"]]
    assert (titles, "nextCursor" in rest) == (["One", "Two", "Three"], False)


def test_an_agent_sees_its_own_and_a_narrowed_key_what_it_may_see(office: Office) -> None:
    agent_id, key = an_agent(office)
    _, other = an_agent(office)
    label = office.a_label()["id"]
    mine = [an_issue(office), an_issue(office, labelIds=[label])]
    for issue_id in mine:
        assign(office, issue_id, agent_id, "EXECUTE")
    narrow = office.a_key(kind="AGENT", linkedAgentId=agent_id, labelIds=[label])["rawKey"]

    assert kinds(office, other) == []
    assert len(inbox(office, key)) == 2
    (row,) = inbox(office, narrow)
    assert counts(office, narrow) == {"runs": 1}
    assert row["issue"] == office.call("issues.get", {"id": mine[1]})["identifier"]


def test_tools_are_named_as_the_door_lists_them(office: Office) -> None:
    agent_id, key = an_agent(office)
    assign(office, an_issue(office), agent_id, "EXECUTE")

    (row,) = office.mcp("agent.inbox", key=key)["data"]

    assert row["call"]["tool"] == "agent_context_bundle"


def test_every_kind_is_counted() -> None:
    assert len(Waiting.model_fields) == len(What)
