"""What an agent owes that is no work on an issue: the worker hands it in, once, whatever the agent is."""

import json

import pytest

from forge.cli.worker.agents.protocol import End, Hear, Order, Outcome, Question
from forge.cli.worker.loop.finding import find_work
from forge.cli.worker.runs.carrying_out import carry_out
from forge.cli.worker.runs.reins import Reins
from tests.unit.cli.worker.workbench import Actor, Bench, Death, Killed
from tests.workshop.office import Body
from tests.workshop.plans import Loop, a_loop, a_step

STEPS = [{"title": "Design"}, {"title": "Build", "dependsOnStepIndexes": [0]}]
PLAN = f"I looked at it.\n\n```json\n{json.dumps({'steps': STEPS})}\n```\n"


def saying(*texts: str) -> Actor:
    left = [*texts]
    return Actor(lambda order, hear: Outcome(End.DONE, left.pop(0)))


def a_thread(bench: Bench, body: str = "How is it going?") -> str:
    me = bench.office.call("agents.me", key=bench.key)["id"]
    thread_id = str(bench.office.call("threads.create", {"agentId": me, "title": "Talk"})["id"])
    bench.office.call("threads.post", {"threadId": thread_id, "body": body})
    return thread_id


def replies(bench: Bench, thread_id: str) -> list[str]:
    said: list[Body] = bench.office.call("threads.get", {"threadId": thread_id})["messages"]
    return [one["body"] for one in said if one["role"] == "AGENT"]


def in_review(bench: Bench, *, with_issue: bool) -> Loop:
    loop = a_loop(bench.office, named="loop-", with_issue=with_issue)
    _, (step_id,) = loop.running(a_step(expectedOutput="A report."))
    loop.move(step_id, "REVIEW")
    bench.key = bench.office.an_agents_key(loop.reviewer)
    return loop


@pytest.mark.parametrize("with_issue", [True, False])
def test_a_judges_last_words_are_the_verdict(bench: Bench, *, with_issue: bool) -> None:
    loop, agent = in_review(bench, with_issue=with_issue), saying("It is there.\n\nPASS")

    bench.work(agent)

    (told,) = loop.told("EXECUTION_STEP_JUDGED")
    assert told["verdict"] == "PASS"
    assert "A report." in agent.orders[0].prompt
    assert "runs_complete" not in agent.orders[0].prompt


def test_who_gives_no_verdict_is_told_so(bench: Bench) -> None:
    loop = in_review(bench, with_issue=True)

    bench.work(saying("I looked at it.", "FAIL: there is no report."))

    (told,) = loop.told("EXECUTION_STEP_JUDGED")
    assert told["verdict"] == "FAIL"


@pytest.mark.parametrize("with_issue", [True, False])
def test_a_planners_last_words_become_steps_and_a_person_is_asked(bench: Bench, *, with_issue: bool) -> None:
    loop = a_loop(bench.office, named="loop-", with_issue=with_issue)
    plan_id = bench.office.call("plans.decompose", {"goalId": loop.goal_id})["planId"]
    bench.key = bench.office.an_agents_key(loop.planner)
    agent = saying("I thought about it.", '```json\n{"steps": [{"titel": "?"}]}\n```', PLAN)

    bench.work(agent, checks={"rounds": 2})

    assert len(loop.steps(plan_id)) == 2
    assert len(bench.office.rows("actionRequests.list", {"status": "OPEN"})) == 1
    assert "Ship the importer" in agent.orders[0].prompt


def test_a_person_who_talks_is_answered_once(bench: Bench) -> None:
    thread_id, agent = a_thread(bench), saying("It goes well.")

    bench.work(agent)
    bench.work(saying("Again."))

    assert replies(bench, thread_id) == ["It goes well."]
    assert "How is it going?" in agent.orders[0].prompt
    assert agent.orders[0].mcp is None


def test_a_question_of_the_agent_is_a_reply(bench: Bench) -> None:
    thread_id = a_thread(bench)

    bench.work(Actor(lambda order, hear: Outcome(End.ASKED, "", Question("Which one?"))))

    assert replies(bench, thread_id) == ["Which one?"]


def test_who_can_not_answer_says_so(bench: Bench) -> None:
    thread_id = a_thread(bench)

    def fails(order: Order, hear: Hear) -> Outcome:
        return Outcome(End.FAILED, f"No model is there, {bench.key}.")

    bench.work(Actor(fails), child={"attempts": 1})

    (reply,) = replies(bench, thread_id)
    assert "No model is there" in reply
    assert bench.key not in reply


def live(bench: Bench) -> None:
    with bench.crew(saying("It goes well.")) as (crew, folder):
        found = find_work(crew, folder.runs, [])
        assert found
        carry_out(crew, found, Reins())


@pytest.mark.parametrize("tool", ["chat.startDraft", "chat.finalizeDraft"])
@pytest.mark.parametrize("is_done", [False, True])
def test_who_dies_before_or_after_a_call_answers_once(bench: Bench, tool: str, *, is_done: bool) -> None:
    thread_id = a_thread(bench)
    bench.line.fault = Death(tool, is_done=is_done)
    with pytest.raises(Killed):
        live(bench)

    bench.work(saying("It goes well."))

    assert replies(bench, thread_id) == ["It goes well."]


def test_what_nobody_could_do_is_not_tried_again_all_the_time(bench: Bench) -> None:
    loop, agent = in_review(bench, with_issue=False), Actor(lambda order, hear: Outcome(End.DONE, "Well."))

    for _ in range(3):
        bench.work(agent, checks={"rounds": 0})

    assert len(agent.orders) == 1
    assert loop.told("EXECUTION_STEP_JUDGED") == []


def test_one_row_that_can_not_be_taken_up_keeps_nothing_else_from_being_taken(bench: Bench) -> None:
    a_thread(bench)
    issue = bench.queue()
    bench.line.refusals["agent.context.bundle"] = {"error": "forbidden", "message": "Not for you."}

    bench.work(saying("Did it."))

    assert [run["status"] for run in bench.runs(issue)] == ["COMPLETED"]
