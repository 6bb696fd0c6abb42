"""A worker from a queued issue to a report, by every way that this may go."""

from dataclasses import replace
from threading import Thread

import pytest

from forge.cli.calls import BadArguments, harmless
from forge.cli.worker.agents.protocol import End, Hear, Order, Outcome
from forge.cli.worker.git.commands import git
from forge.cli.worker.loop.finding import find_work
from forge.cli.worker.loop.folders import held
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.runs.carrying_out import carry_out
from forge.cli.worker.runs.engagements import begin
from forge.cli.worker.runs.masks import HIDDEN
from forge.cli.worker.runs.reins import Reins
from forge.cli.worker.settings.workflows import parse
from tests.integration.cli.processes import eventually
from tests.unit.cli.worker.workbench import Actor, Bench, writes_hello

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


SECRET = "forge_sk_" + "s" * 43
SAYS_ITS_KEY = "tell(type='ask', title='Which?', body='I have ' + KEY)\n"
REPORTS_ITS_KEY = "tell(type='result', summary='Done.', followUps=[dict(title='Remove ' + KEY)])\n"


@pytest.mark.parametrize("script", ["sys.exit('not mine: ' + KEY)\n", SAYS_ITS_KEY, REPORTS_ITS_KEY])
def test_no_key_is_told_however_the_work_ends(bench: Bench, script: str) -> None:
    bench.queue()

    bench.work(bench.a_script(f"KEY = {SECRET!r}\n{script}"), child={"attempts": 1})

    assert HIDDEN in str(bench.line.calls)
    assert SECRET not in str(bench.line.calls)


def test_no_check_that_fails_tells_a_key(bench: Bench) -> None:
    bench.queue()

    failing = {"commands": [f"printf {SECRET[:9]}; echo {SECRET[9:]}; false"], "rounds": 0}
    bench.work(bench.a_script(HELLO), checks=failing)

    assert SECRET not in str(bench.line.calls)


def test_nothing_is_written_where_a_link_in_the_childs_home_leads(bench: Bench) -> None:
    bench.queue()
    elsewhere = bench.root / "profile"
    elsewhere.write_text("as it was", encoding="utf-8")

    def act(order: Order, hear: Hear) -> None:
        writes_hello(order, hear)
        (order.home / "pull-request.md").symlink_to(elsewhere)

    bench.work(
        Actor(act), git={"pull_request": "cp $FORGE_BODY_FILE ../../../told; echo https://x.example/1"}
    )

    assert elsewhere.read_text(encoding="utf-8") == "as it was"
    assert "Did it." in (bench.root / "told").read_text(encoding="utf-8")


def test_an_agent_that_reports_by_itself_is_not_reported_twice(bench: Bench) -> None:
    issue = bench.queue()

    def act(order: Order, hear: Hear) -> None:
        assert order.mcp
        writes_hello(order, hear)
        run_id = order.environment["FORGE_RUN_ID"]
        bench.office.call("runs.complete", {"runId": run_id, "summary": "By itself."}, key=order.mcp.key)

    bench.work(Actor(act))

    (run,) = bench.runs(issue)
    assert (run["status"], run["summary"]) == ("COMPLETED", "By itself.")
    assert bench.commits(bench.branches()[0]) == 1


def test_a_child_has_a_key_of_its_own_that_ends_with_its_run(bench: Bench) -> None:
    bench.queue()
    agent = Actor(writes_hello)

    bench.work(agent)

    (order,) = agent.orders
    assert order.mcp
    assert order.mcp.key != bench.key
    assert bench.key not in str(order.environment)
    assert bench.office.refused("agents.me", key=order.mcp.key)[0] == 401


def test_a_review_looks_and_says_what_it_found(bench: Bench) -> None:
    issue = bench.office.call("issues.create", {"title": "Look at it"})["identifier"]
    me = bench.office.call("agents.me", key=bench.key)["profileKey"]
    bench.office.call("issues.assign", {"id": issue, "agentId": me, "mode": "REVIEW"})

    bench.work(Actor(lambda order, hear: Outcome(End.DONE, "APPROVE: it is fine.")))

    (run,) = bench.runs(issue)
    assert (run["status"], run["engagementMode"]) == ("COMPLETED", "REVIEW")
    assert bench.branches() == []


def test_who_has_lost_the_work_says_nothing_more_and_keeps_what_it_did(bench: Bench) -> None:
    issue = bench.queue()

    def act(order: Order, hear: Hear) -> None:
        writes_hello(order, hear)
        bench.office.call("issues.claim", {"issueId": issue}, key=bench.key, session="another")

    bench.work(Actor(act))

    kept = git(
        "log", "--format=%s", f"forge/{issue}-say-hello", at=bench.root / "worker/repositories/source.git"
    )
    assert bench.runs(issue)[0]["status"] == "ACTIVE"
    assert bench.branches() == []
    assert kept.splitlines()[0] == f"{issue}: as far as it came"


def test_two_workers_on_one_folder_are_refused(bench: Bench) -> None:
    with (
        bench.crew(Actor(writes_hello)),
        pytest.raises(BadArguments, match="--folder"),
        held(bench.root / "worker"),
    ):
        pass


def test_who_drains_finishes_what_it_has_and_takes_nothing_more(bench: Bench) -> None:
    first, second = bench.queue("First"), bench.queue("Second")
    with bench.crew(bench.a_script(HELLO)) as (crew, folder):
        worker = Worker(crew, folder, lambda line: worker.drain() if "First" in line else None)
        assert worker.run() == 1

    assert bench.runs(first)[0]["status"] == "COMPLETED"
    assert bench.runs(second) == []


def test_who_is_stopped_goes_on_after_the_next_start(bench: Bench) -> None:
    issue = bench.queue()
    script = bench.a_script(
        "import time\nif 'interrupted' in prompt:\n    open('done', 'w').write(resumed)\nelse:\n"
        "    tell(type='session', id='s-1')\n    print('ready', flush=True)\n    time.sleep(60)\n"
    )
    with bench.crew(script) as (crew, folder):
        worker = Worker(crew, folder, bench.said.append)

        def stop_once_it_speaks() -> None:
            eventually(lambda: any(folder.runs.rglob("output.log")), "a log")
            worker.stop()

        Thread(target=stop_once_it_speaks).start()
        worker.run()
    between = bench.runs(issue)[0]["status"]

    bench.work(script, is_once=True)

    assert (between, bench.runs(issue)[0]["status"]) == ("ACTIVE", "COMPLETED")
    assert bench.file(bench.branches()[0], "done") == "s-1"


def test_a_workflow_of_the_repository_is_what_the_agent_is_told(bench: Bench) -> None:
    bench.queue()
    agent = Actor(writes_hello)
    with bench.crew(agent) as (crew, folder):
        told = replace(crew, workflow=lambda: parse("---\na: 1\n---\nPlease do {{ issue.identifier }}."))
        Worker(told, folder, bench.said.append, is_once=True).run()

    assert agent.orders[0].prompt.startswith("Please do ")


def test_worktrees_whose_work_has_landed_are_taken_away(bench: Bench) -> None:
    issue = bench.queue()
    bench.work(Actor(writes_hello))
    folder = bench.root / "worker" / "worktrees" / issue
    before = folder.exists()
    git("merge", "--quiet", "--ff-only", bench.branches()[0], at=bench.source)

    bench.queue("Another")
    bench.work(Actor(writes_hello))
    bench.queue("A third")
    bench.work(Actor(writes_hello))

    assert (before, folder.exists()) == (True, False)


def test_the_pull_requests_command_is_the_owners_and_sees_what_they_see(bench: Bench) -> None:
    """An agent writes what it likes into its home: git and gh would go by that."""
    bench.queue()
    command = 'echo "$HOME $GH_TOKEN $FORGE_BRANCH ${FORGE_AGENT_KEY-none}" > ../../../told; echo https://x.example/1'

    with bench.crew(Actor(writes_hello), git={"pull_request": command}) as (crew, folder):
        around = {
            **crew.around,
            "HOME": "/home/owner",
            "GH_TOKEN": "t0ken-of-the-owner",
            "FORGE_AGENT_KEY": "k",
        }
        Worker(replace(crew, around=around), folder, bench.said.append, is_once=True).run()

    told = (bench.root / "told").read_text(encoding="utf-8").split()
    assert told == ["/home/owner", "t0ken-of-the-owner", bench.branches()[0], "none"]


def test_a_pull_request_that_was_not_opened_tells_no_key_of_the_owner(bench: Bench) -> None:
    bench.queue()
    command = 'echo "bad credentials: $GH_TOKEN, https://me:hunter2hunter2@x.example" >&2; exit 1'

    with bench.crew(Actor(writes_hello), git={"pull_request": command}) as (crew, folder):
        around = {**crew.around, "GH_TOKEN": "t0ken-of-the-owner"}
        Worker(replace(crew, around=around), folder, bench.said.append, is_once=True).run()

    (given_back,) = bench.line.named("runs.giveBack")
    assert "bad credentials" in given_back["reason"]
    assert "t0ken-of-the-owner" not in str(bench.line.calls)
    assert "hunter2" not in str(bench.line.calls)


def test_no_title_writes_more_than_a_subject(bench: Bench) -> None:
    issue = bench.queue()
    with bench.crew(Actor(writes_hello)) as (crew, folder):
        answer = crew.server.call("issues.claim", {"include": "bundle"})
        answer["bundle"]["issue"]["title"] = "Hello\n\nForge-Run: run_of_somebody\0else"
        run = begin(folder.runs, answer["runId"], answer["bundle"])
        carry_out(crew, run, Reins())

    (branch,) = bench.branches()
    told = git("log", "-1", "--format=%s|%(trailers:key=Forge-Run,valueonly)", branch, at=bench.source)
    assert told.split("|") == [f"{issue}: Hello  Forge-Run: run_of_somebody else", f"{run.run_id}\n\n"]


def test_a_log_commands_no_terminal() -> None:
    assert harmless("one\x1b]0;title\x07\n\ttwo\u202e\n") == "one ]0;title \n two \n"
