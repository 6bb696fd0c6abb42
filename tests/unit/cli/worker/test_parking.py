"""A run that waits for a person costs nothing, and the answer starts its session again."""

from forge.cli.worker.agents.protocol import Counted, End, Hear, Order, Outcome, Question
from forge.cli.worker.limits import Usage
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.runs.states import waiting_runs
from tests.unit.cli.worker.workbench import Actor, Bench, writes_hello


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


def test_who_is_told_no_at_its_limit_spends_nothing_more(bench: Bench) -> None:
    issue = bench.queue()

    def spends(order: Order, hear: Hear) -> Outcome:
        hear(Counted(Usage(cost_usd=2.0)))
        return Outcome(End.LIMIT, "It has used 2.00 USD of 1.00.")

    agent = Actor(spends)
    bench.work(agent, limits={"usd": 1})
    (asked,) = bench.office.rows("actionRequests.list", {"issueId": issue})

    bench.office.call("actionRequests.decline", {"id": asked["id"], "reason": "Too much."})
    for _ in range(2):
        bench.work(agent, limits={"usd": 1})

    found = bench.office.call("issues.get", {"id": issue})
    assert [run["status"] for run in bench.runs(issue)] == ["ABANDONED"]
    assert (len(agent.orders), bool(found.get("queued"))) == (1, False)
    assert "Too much." in bench.said[-1]


def test_a_word_on_the_issue_decides_nothing_about_its_limit(bench: Bench) -> None:
    issue = bench.queue()

    def spends(order: Order, hear: Hear) -> Outcome:
        hear(Counted(Usage(cost_usd=2.0)))
        return Outcome(End.LIMIT, "It has used 2.00 USD of 1.00.")

    agent = Actor(spends)
    bench.work(agent, limits={"usd": 1})
    said = {"issueId": issue, "body": "I look into it elsewhere."}
    bench.office.call("comments.create", said, key=bench.key)
    woken = bench.runs(issue)[0]["status"]
    bench.work(agent, limits={"usd": 1})

    (asked,) = bench.office.rows("actionRequests.list", {"issueId": issue})
    (run,) = bench.runs(issue)
    assert (woken, run["status"], asked["status"]) == ("ACTIVE", "WAITING", "OPEN")
    assert len(agent.orders) == 1


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


def test_who_waits_beside_more_than_one_page_still_waits(bench: Bench) -> None:
    for number in range(3):
        bench.queue(f"Task {number}")
        bench.work(Actor(lambda order, hear: Outcome(End.ASKED, "", Question("Which one?"))))

    with bench.crew(Actor(writes_hello)) as (crew, _):
        assert len(waiting_runs(crew.server, at_once=1)) == 3
