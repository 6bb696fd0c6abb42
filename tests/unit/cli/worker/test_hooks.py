"""A WORKFLOW.md of the repository: its prompt, its hooks, and what it says of slots and polling."""

from dataclasses import replace

import pytest

from forge.cli.worker.loop.starting import with_defaults
from forge.cli.worker.loop.working import Worker
from forge.cli.worker.settings.settings import Settings
from forge.cli.worker.settings.workflows import parse
from tests.unit.cli.worker.workbench import Actor, Bench, writes_hello

HOOKS = """---
polling: {interval_ms: 50}
hooks:
  after_create: echo created >> ../hooks.log
  before_run: echo before $FORGE_ISSUE >> ../hooks.log
  after_run: echo after >> ../hooks.log
---
Do it.
"""


def follow(bench: Bench, text: str, agent: Actor, **settings: object) -> None:
    with bench.crew(agent, **settings) as (crew, folder):
        told = replace(crew, workflow=lambda: parse(text))
        Worker(told, folder, bench.said.append, is_once=True).run()


def test_hooks_run_around_the_agent_and_the_first_one_once(bench: Bench) -> None:
    issue = bench.queue()

    follow(bench, HOOKS, Actor(writes_hello), child={"trusted": True})

    log = bench.root / "worker" / "worktrees" / "hooks.log"
    assert log.read_text().splitlines() == ["created", f"before {issue}", "after"]
    assert bench.runs(issue)[0]["status"] == "COMPLETED"


def test_where_a_hook_before_the_work_fails_nothing_is_begun(bench: Bench) -> None:
    issue, agent = bench.queue(), Actor(writes_hello)

    child = {"attempts": 1, "trusted": True}
    follow(bench, "---\nhooks: {before_run: exit 3}\n---\n", agent, child=child)

    assert agent.orders == []
    assert bench.runs(issue)[0]["status"] == "ABANDONED"


def test_hooks_of_a_repository_that_nobody_trusts_are_not_run(bench: Bench) -> None:
    issue = bench.queue()

    follow(bench, HOOKS, Actor(writes_hello))

    assert not (bench.root / "worker" / "worktrees" / "hooks.log").exists()
    assert bench.runs(issue)[0]["status"] == "COMPLETED"


@pytest.mark.parametrize(
    "wrong", ["agent: {max_concurrent_agents: 1000}", "agent: {max_concurrent_agents: .inf}"]
)
def test_no_repository_keeps_a_worker_from_starting(wrong: str) -> None:
    settings = Settings(agent="claude")

    assert with_defaults(settings, parse(f"---\n{wrong}\n---\n").wanted) == settings


def test_what_the_owner_said_counts_more_than_the_repository() -> None:
    wanted = parse("---\npolling: {interval_ms: 2000}\nagent: {max_concurrent_agents: 9}\n---\n").wanted

    settings = with_defaults(Settings(agent="claude", slots=2), wanted)

    assert (settings.slots, settings.poll_seconds) == (2, 2.0)
