"""A worker from a queued issue to a report, by every way that this may go."""

from forge.cli.worker.git.commands import git
from forge.cli.worker.loop.finding import find_work
from tests.unit.cli.worker.workbench import Bench

HELLO = "open('hello.txt', 'w').write('hello')\ntell(type='result', summary='Wrote it.')\n"


def test_an_issue_becomes_a_branch_with_a_commit_and_a_completed_run(bench: Bench) -> None:
    issue = bench.queue("Say hello, twice")

    assert bench.work(bench.a_script(HELLO)) == 1

    branch = f"forge/{issue}-say-hello-twice"
    (run,) = bench.runs(issue)
    message = git("log", "-1", "--format=%B", branch, at=bench.source)
    assert (run["status"], bench.branches()) == ("COMPLETED", [branch])
    assert bench.file(branch, "hello.txt") == "hello"
    assert f"Forge-Issue: {issue}" in message
    assert f"Forge-Run: {run['id']}" in message


def test_where_nothing_is_queued_nothing_is_begun(bench: Bench) -> None:
    with bench.crew(bench.a_script(HELLO)) as (crew, folder):
        assert find_work(crew, folder.runs, []) is None


def test_what_the_worker_observed_is_attached_as_evidence(bench: Bench) -> None:
    issue = bench.queue()

    bench.work(bench.a_script(HELLO), checks={"commands": ["cat hello.txt"]})

    (found,) = bench.office.rows("artifacts.list", {"issueId": issue})
    text = bench.office.call("artifacts.get", {"id": found["id"]})["body"]
    assert found["type"] == "VERIFICATION"
    assert "Exit code 0" in text
    assert "hello" in text


def test_an_agent_is_shown_which_checks_fail_and_mends_it(bench: Bench) -> None:
    issue = bench.queue()
    script = "open('hello.txt', 'a').write('hello' if 'checks' in prompt else 'nothing')\n"

    bench.work(bench.a_script(script), checks={"commands": ["grep hello hello.txt"], "rounds": 1})

    assert bench.runs(issue)[0]["status"] == "COMPLETED"


def test_work_that_fails_its_checks_is_given_back_and_stays_on_its_branch(bench: Bench) -> None:
    issue = bench.queue()

    bench.work(bench.a_script(HELLO), checks={"commands": ["false"], "rounds": 0})

    assert bench.runs(issue)[0]["status"] == "ABANDONED"
    assert bench.commits(bench.branches()[0]) == 1


def test_an_agent_that_fails_is_tried_again_and_then_the_issue_is_given_back(bench: Bench) -> None:
    issue = bench.queue()
    script = "open('tries', 'a').write('x')\nsys.exit('no model')\n"

    bench.work(bench.a_script(script), child={"attempts": 2})

    assert bench.runs(issue)[0]["status"] == "ABANDONED"
    assert bench.file(bench.branches()[0], "tries") == "xx"
