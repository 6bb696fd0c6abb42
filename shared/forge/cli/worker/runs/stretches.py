"""One stretch of work: the agent is started or resumed, heard, and its end is written down."""

from collections.abc import Mapping
from typing import Any

from forge.cli.local.homes import write_private
from forge.cli.worker.agents.protocol import RUN_KEY, End, McpServer, Order, Outcome, Question, Said
from forge.cli.worker.git.worktrees import Worktree
from forge.cli.worker.limits import Limits, Usage, limits_in
from forge.cli.worker.processes import leftovers
from forge.cli.worker.processes.surroundings import make_home
from forge.cli.worker.runs import hooks, mcp_files
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement
from forge.cli.worker.runs.hooks import HookFailed
from forge.cli.worker.runs.logs import LogBook
from forge.cli.worker.runs.masks import masked
from forge.cli.worker.runs.prompts import duty_prompt, first_prompt, resumed_prompt
from forge.cli.worker.runs.reins import Halt, Reins, Why
from forge.cli.worker.runs.rules import is_resumable
from forge.cli.worker.runs.telling import Watch
from forge.cli.worker.server.client import FOR_EVER
from forge.cli.worker.settings.workflows import Broken

_KEY_MINUTES = 1440


def work(crew: Crew, run: Engagement, reins: Reins, worktree: Worktree, words: str) -> Outcome:
    """Until the agent's turn is over; `words` are for a session that is resumed."""
    leftovers.end_all(run.run_id)
    make_home(run.home)
    mcp = McpServer(mcp_files.url_of(crew.server.where.url), _mint(crew, run)) if run.is_run else None
    is_resumed = _begin_session(crew, run)
    try:
        hooks.must_run(crew, run, worktree.path, "before_run")
        prompt = _prompt(crew, run, worktree, words, is_resumed=is_resumed)
    except (Broken, HookFailed) as problem:
        return Outcome(End.FAILED, str(problem))
    if mcp:
        write_private(run.home / mcp_files.FILE, mcp_files.written(mcp.url))
    environment = crew.environment_of(run, **({RUN_KEY: mcp.key} if mcp else {}))
    limits, child = limits_of(crew, run), crew.settings.child
    order = Order(
        prompt,
        worktree.path,
        run.home,
        environment,
        session=str(run.journal.fact("session", "")),
        is_resumed=is_resumed,
        model=child.model,
        limits=_left(limits, run),
        mcp=mcp,
        allow=child.allow,
        is_trusted=child.trusted,
        permissions=child.permissions,
        granted=run.journal.fact("granted", ()),
        wrap=crew.wrapping(run, worktree.path, environment),
    )
    outcome = _heard(crew, run, reins, order, limits)
    hooks.run_hook(crew, run, worktree.path, "after_run")
    return outcome


def limits_of(crew: Crew, run: Engagement) -> Limits:
    """The least of what the owner of this machine and Forge say; more, once a person has said to go on."""
    least = crew.settings.limits.limits().least(limits_in(run.bundle))
    times = run.extended + 1
    return Limits(
        least.usd and least.usd * times,
        least.turns and least.turns * times,
        least.minutes and least.minutes * times,
    )


def _heard(crew: Crew, run: Engagement, reins: Reins, order: Order, limits: Limits) -> Outcome:
    prices, child = crew.settings.prices, crew.settings.child
    mask = crew.mask(order.mcp.key if order.mcp else "")
    watch = Watch(
        run,
        crew.server,
        LogBook(run.folder, run.run_id, crew.server),
        mask,
        reins,
        limits=limits,
        silence_seconds=child.silence_minutes * 60,
        tick=crew.tick,
        price=prices.get(order.model) or prices.get("default"),
        crowd=crew.crowd,
    )
    reins.progress = watch.progress
    with watch:
        outcome = judged(crew.agent.work(order, watch.hear, watch.started), reins.halt)
        if outcome.end is not End.DONE and outcome.text:
            watch.hear(Said(outcome.text))
    outcome = masked(outcome, mask)
    run.journal.note(used=watch.used, outcome=written(outcome))
    return outcome


def judged(outcome: Outcome, halt: Halt | None) -> Outcome:
    """What was stopped ended because of that, whatever it says; but for one that was done before."""
    if halt is None or outcome.end is End.DONE:
        return outcome
    if halt.why is Why.LIMIT:
        return Outcome(End.LIMIT, halt.text)
    return Outcome(End.FAILED, halt.text)


def written(outcome: Outcome) -> dict[str, Any]:
    asked = list(outcome.question) if outcome.question else None
    return {"end": outcome.end, "text": outcome.text, "question": asked, "report": dict(outcome.report)}


def read(written: Mapping[str, Any]) -> Outcome:
    """As it was noted, by this process or one before."""
    asked = written.get("question")
    return Outcome(
        End(written["end"]), written["text"], Question(*asked) if asked else None, written["report"]
    )


def _mint(crew: Crew, run: Engagement) -> str:
    """A key for this run alone; the next one ends it, and so does the end of the run."""
    arguments = {"runId": run.run_id, "ttlMinutes": _KEY_MINUTES}
    return str(crew.server.call("agents.sessionKey", arguments, patience=FOR_EVER)["rawKey"])


def _begin_session(crew: Crew, run: Engagement) -> bool:
    """Whether there is one to go on with; else a name for one, noted before anything can come of it."""
    journal = run.journal
    if journal.fact("is_begun") and is_resumable(
        session=journal.fact("session", ""), lost=journal.fact("lost", 0)
    ):
        return True
    journal.note(session=crew.agent.new_session(), is_begun=False, session_used=run.used.usage, lost=0)
    return False


def _prompt(crew: Crew, run: Engagement, worktree: Worktree, words: str, *, is_resumed: bool) -> str:
    if is_resumed:
        return resumed_prompt(words)
    if run.duty:
        first = duty_prompt(run.bundle, run.duty["tool"])
        return f"{first}\n{words}" if words else first
    workflow = crew.workflow()
    first = first_prompt(
        run.bundle,
        template=workflow.prompt or crew.settings.prompt,
        branch=worktree.branch,
        attempt=run.journal.fact("failures") or None,
    )
    return f"{first}\n{words}" if words else first


def _left(limits: Limits, run: Engagement) -> Limits:
    """Of the limits, for this stretch. Agents keep the cost themselves, over all of a session."""
    used = run.used
    before = Usage(*run.journal.fact("session_used", Usage())).cost_usd or 0.0
    return Limits(
        limits.usd and max(limits.usd - before, 0.01),
        limits.turns and max(limits.turns - used.turns, 1),
        limits.minutes and max(limits.minutes - used.minutes, 0.1),
    )
