"""Work that came from elsewhere: another machine's, a plan's, or back to who had lost it."""

import pytest

from forge.cli.worker.agents.protocol import Counted, End, Hear, Order, Outcome, Question
from forge.cli.worker.limits import Usage
from forge.cli.worker.loop.finding import find_work
from forge.cli.worker.runs.carrying_out import Left, carry_out
from forge.cli.worker.runs.engagements import Ending, begin
from forge.cli.worker.runs.reins import Reins
from tests.unit.cli.worker.workbench import Actor, Bench, Death, Killed, writes_hello
from tests.workshop.plans import a_loop, a_step


def spends_half_a_dollar(order: Order, hear: Hear) -> None:
    writes_hello(order, hear)
    hear(Counted(Usage(10, 5, 0, 0.5), turns=2))


def test_what_another_machine_has_spent_on_a_run_counts_on(bench: Bench) -> None:
    issue = bench.queue()
    claimed = bench.office.call("issues.claim", {"issueId": issue}, key=bench.key, session="another")
    used = {"runId": claimed["runId"], "costUsd": 0.25, "tokensIn": 100, "turns": 3}
    bench.office.call("runs.recordUsage", used, key=bench.key, session="another")

    with bench.crew(Actor(spends_half_a_dollar)) as (crew, folder):
        answer = crew.server.call("issues.claim", {"issueId": issue, "include": "bundle"})
        run = begin(folder.runs, answer["runId"], answer["bundle"])
        assert carry_out(crew, run, Reins()) is Left.ENDED

    (run_row,) = bench.runs(issue)
    assert (run_row["costUsd"], run_row["tokensIn"]) == (0.75, 110)


def test_work_that_was_lost_and_comes_back_is_done(bench: Bench) -> None:
    issue = bench.queue()

    def loses(order: Order, hear: Hear) -> None:
        writes_hello(order, hear)
        bench.office.call("issues.claim", {"issueId": issue}, key=bench.key, session="another")

    agent = Actor(loses)
    bench.work(agent)
    with bench.crew(Actor(writes_hello)) as (crew, folder):
        answer = crew.server.call("issues.claim", {"issueId": issue, "include": "bundle"})
        run = begin(folder.runs, answer["runId"], answer["bundle"])
        assert carry_out(crew, run, Reins()) is Left.ENDED

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
    assert bench.file(bench.branches()[0], "hello.txt") == "hello"


def test_a_step_of_a_plan_is_done_on_the_branch_of_its_issue(bench: Bench) -> None:
    loop = a_loop(bench.office, named="loop-", with_issue=True, reviewer=False)
    loop.running(a_step())
    bench.key = bench.office.an_agents_key(loop.worker)

    with bench.crew(Actor(writes_hello)) as (crew, folder):
        found = find_work(crew, folder.runs, [])
        assert found
        assert carry_out(crew, found, Reins()) is Left.ENDED

    assert bench.file(bench.branches()[0], "hello.txt") == "hello"


@pytest.mark.parametrize("is_done", [False, True])
def test_who_dies_while_it_takes_up_what_it_was_called_for_goes_on_with_it(
    bench: Bench, *, is_done: bool
) -> None:
    issue = bench.office.call("issues.create", {"title": "Look at it"})["identifier"]
    me = bench.office.call("agents.me", key=bench.key)["profileKey"]
    bench.office.call("issues.assign", {"id": issue, "agentId": me, "mode": "REVIEW"})
    bench.line.fault = Death("runs.resumeWork", is_done=is_done)
    agent = Actor(lambda order, hear: Outcome(End.DONE, "APPROVE: it is fine."))
    with bench.crew(agent) as (crew, folder):
        found = find_work(crew, folder.runs, [])
        assert found
        with pytest.raises(Killed):
            carry_out(crew, found, Reins())

    bench.work(agent)

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
    assert len(agent.orders) == 1


def taken_over(bench: Bench, issue: str) -> str:
    """By another machine, while this one sleeps; its run."""
    return str(
        bench.office.call("issues.claim", {"issueId": issue}, key=bench.key, session="another")["runId"]
    )


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(End.DONE, "Did it."),
        Outcome(End.FAILED, ""),
        Outcome(End.ASKED, "", Question("Which one?")),
        Outcome(End.LIMIT, ""),
    ],
)
@pytest.mark.parametrize("is_done", [False, True])
def test_whoever_wakes_up_after_another_took_over_changes_nothing_outside(
    bench: Bench, outcome: Outcome, *, is_done: bool
) -> None:
    issue = bench.queue()

    def sleeps(order: Order, hear: Hear) -> Outcome:
        writes_hello(order, hear)
        run_id = taken_over(bench, issue)
        if is_done:
            report = {"runId": run_id, "summary": "By another machine."}
            bench.office.call("runs.complete", report, key=bench.key, session="another")
        return outcome

    opened = bench.root / "opened"
    bench.work(
        Actor(sleeps),
        checks={"commands": ["true"]},
        git={"pull_request": f"echo https://x.example/1 | tee {opened}"},
        child={"attempts": 1},
    )

    assert bench.branches() == []
    assert not opened.exists()
    assert bench.office.rows("artifacts.list", {"issueId": issue}) == []
    assert bench.office.rows("actionRequests.list", {"issueId": issue}) == []
    assert bench.runs(issue)[0]["status"] == ("COMPLETED" if is_done else "ACTIVE")


def says_pass(order: Order, hear: Hear) -> Outcome:
    return Outcome(End.DONE, "It is fine. APPROVE, PASS")


def a_second(bench: Bench) -> Bench:
    """Another machine, with a key of its own for the same agent."""
    me = bench.office.call("agents.me", key=bench.key)["id"]
    second = Bench(bench.office, bench.root / "second", bench.office.an_agents_key(me))
    second.line = bench.line
    return second


@pytest.mark.parametrize("owed", ["a review", "a verdict"])
def test_of_two_machines_of_an_agent_one_does_what_it_was_called_for(bench: Bench, owed: str) -> None:
    if owed == "a review":
        issue = bench.office.call("issues.create", {"title": "Look at it"})["identifier"]
        me = bench.office.call("agents.me", key=bench.key)["profileKey"]
        bench.office.call("issues.assign", {"id": issue, "agentId": me, "mode": "REVIEW"})
    else:
        loop = a_loop(bench.office, named="two-", with_issue=True)
        _, (step,) = loop.running(a_step())
        loop.move(step, "REVIEW")
        bench.key = bench.office.an_agents_key(loop.reviewer)

    def lets_the_other_begin(order: Order, hear: Hear) -> Outcome:
        assert theirs
        carry_out(other, theirs, Reins())
        assert find_work(other, at_other.runs, []) is None
        return says_pass(order, hear)

    second, agents = a_second(bench), [Actor(lets_the_other_begin), Actor(says_pass)]
    with bench.crew(agents[0]) as (one, at_one), second.crew(agents[1]) as (other, at_other):
        # Both have looked before either has begun.
        ours, theirs = find_work(one, at_one.runs, []), find_work(other, at_other.runs, [])
        assert ours
        assert theirs
        assert carry_out(one, ours, Reins()) is Left.ENDED
        again = find_work(other, at_other.runs, [])

    assert [len(agent.orders) for agent in agents] == [1, 0]
    assert ours.ending is Ending.COMPLETED
    assert theirs.ending is Ending.LOST
    assert again is None
