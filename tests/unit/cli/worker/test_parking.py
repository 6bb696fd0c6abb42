"""A run that waits for a person costs nothing, and the answer starts its session again."""

from tests.unit.cli.worker.workbench import Bench


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
