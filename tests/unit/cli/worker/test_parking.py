"""A run that waits for a person costs nothing, and the answer starts its session again."""

from forge.cli.worker.agents.protocol import End, Hear, Order, Outcome
from forge.cli.worker.loop.working import Worker
from tests.unit.cli.worker.workbench import Actor, Bench


def test_a_question_parks_the_run_and_the_answer_resumes_its_session(bench: Bench) -> None:
    issue = bench.queue()
    script = bench.a_script(
        "if resumed:\n    open('answer', 'w').write(resumed + prompt)\n"
        "else:\n    tell(type='session', id='s-1')\n    tell(type='ask', title='Which schema?')\n"
    )
    bench.work(script)
    (asked,) = bench.office.rows("actionRequests.list", {"issueId": issue})
    waiting = bench.runs(issue)[0]["status"]

    bench.office.call("actionRequests.accept", {"id": asked["id"], "resolution": "The second."})
    bench.work(script)

    answer = bench.file(bench.branches()[0], "answer")
    assert (waiting, bench.runs(issue)[0]["status"]) == ("WAITING", "COMPLETED")
    assert answer.startswith("s-1")
    assert "The second." in answer


def test_who_reaches_a_limit_is_stopped_and_a_person_is_asked(bench: Bench) -> None:
    issue = bench.queue()
    spends = (
        "import time\nopen('half', 'w').write('done')\n"
        "tell(type='usage', tokensIn=10, costUsd=2.0)\ntime.sleep(30)\n"
    )
    script = bench.a_script(f"if resumed or 'answered' in prompt:\n    sys.exit()\n{spends}")

    bench.work(script, limits={"usd": 1})

    (asked,) = bench.office.rows("actionRequests.list", {"issueId": issue})
    assert bench.runs(issue)[0]["status"] == "WAITING"
    assert bench.runs(issue)[0]["costUsd"] == 2.0
    assert bench.file(bench.branches()[0], "half") == "done"

    bench.office.call("actionRequests.accept", {"id": asked["id"]})
    bench.work(script, limits={"usd": 3})
    assert bench.runs(issue)[0]["status"] == "COMPLETED"


def test_a_limit_that_a_beat_tells_of_stops_the_agent_and_asks(bench: Bench) -> None:
    issue = bench.queue()

    def act(order: Order, hear: Hear) -> Outcome:
        told = {"runId": order.environment["FORGE_RUN_ID"], "reason": "limit"}
        worker.heard({"stop": [told]})
        assert agent.stopped.wait(10)
        return Outcome(End.FAILED, "stopped")

    agent = Actor(act)
    with bench.crew(agent) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append, is_once=True)
        worker.run()

    assert bench.runs(issue)[0]["status"] == "WAITING"
    assert len(bench.office.rows("actionRequests.list", {"issueId": issue})) == 1
