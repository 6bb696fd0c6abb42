"""A run from wherever it stands to its end: interrupted anywhere, and begun again, it ends the same."""

from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

from forge.cli.worker.agents.protocol import End, Outcome
from forge.cli.worker.git import worktrees
from forge.cli.worker.git.commands import GitFailed
from forge.cli.worker.git.worktrees import Worktree
from forge.cli.worker.processes import leftovers
from forge.cli.worker.runs import checks, duties, handing_in, hooks, parking, stretches
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.duties import NotGiven
from forge.cli.worker.runs.engagements import Ending, Engagement
from forge.cli.worker.runs.hooks import HookFailed
from forge.cli.worker.runs.reins import Progress, Reins, Why
from forge.cli.worker.runs.rules import LIVE, Checking, Stretch, Then, after, after_checks, seconds_before
from forge.cli.worker.runs.states import row_of, status_of, used_in
from forge.cli.worker.server.client import Refused, Stopping

_LONGEST_REASON = 2_000
_WHILE_MINUTES = 60
"""For which nobody takes what is about to leave the queue."""


class Left(StrEnum):
    """How it is left when its slot is free again."""

    ENDED = "ended"
    PARKED = "parked"
    KEPT = "kept"
    """The worker ends, and finds it again."""


def carry_out(crew: Crew, run: Engagement, reins: Reins) -> Left:
    try:
        run.journal.replay(crew.server)
        return _carry_on(crew, run, reins)
    except Refused as refused:
        if refused.is_taken_over:
            return _lose(crew, run)
        if refused.is_of_key:
            raise
        if status_of(crew.server, run.run_id) not in LIVE:
            return _close(crew, run)
        return _give_back(crew, run, f"Forge refused it: {refused}")
    except (GitFailed, HookFailed) as problem:
        return _give_back(crew, run, str(problem))
    except Stopping:
        return Left.KEPT


def _carry_on(crew: Crew, run: Engagement, reins: Reins) -> Left:
    row = row_of(crew.server, run.run_id)
    if row["status"] not in LIVE:
        return _close(crew, run)
    if run.journal.fact("used") is None:
        run.journal.note(used=used_in(row))
    duties.begin(crew, run)
    worktree = _prepare(crew, run)
    while True:
        if run.parked:
            if parking.waits_on(crew, run):
                return Left.PARKED
            parking.take_answer(crew, run)
        if no := run.journal.fact("declined"):
            handing_in.keep(crew, run, worktree)
            return _give_back(crew, run, str(no), is_wanted=False)
        outcome = _outcome(crew, run, reins, worktree, str(run.journal.fact("words", "")))
        if reins.halt and reins.halt.why is Why.TAKEN_OVER:
            return _lose(crew, run)
        match _then(crew, run, reins, outcome):
            case Then.HAND_IN if left := _hand_in(crew, run, reins, worktree, outcome):
                return left
            case Then.PARK if not run.is_run:
                return _reply_with_question(crew, run, outcome)
            case Then.PARK:
                return _park(crew, run, worktree, outcome)
            case Then.GIVE_BACK:
                handing_in.keep(crew, run, worktree)
                return _give_back(crew, run, outcome.text)
            case Then.CLOSE:
                return _close(crew, run)
            case Then.KEEP:
                run.journal.note(outcome=None)
                return Left.KEPT
            case Then.AGAIN:
                reins.forget(Why.SILENCE)
                if crew.stopping.wait(seconds_before(int(run.journal.fact("failures", 0)) - 1)):
                    return Left.KEPT


def _outcome(crew: Crew, run: Engagement, reins: Reins, worktree: Worktree, words: str) -> Outcome:
    """Of the stretch that is due; of the last one, where somebody was stopped before it was acted on."""
    if found := run.journal.fact("outcome"):
        return stretches.read(found)
    return stretches.work(crew, run, reins, worktree, words)


def _then(crew: Crew, run: Engagement, reins: Reins, outcome: Outcome) -> Then:
    failures = int(run.journal.fact("failures", 0)) + 1
    ending = bool(reins.halt and reins.halt.why is Why.ENDING)
    attempts = crew.settings.child.attempts
    status = status_of(crew.server, run.run_id)
    then = after(Stretch(outcome.end, status, failures, attempts, ending))
    if then is Then.AGAIN:
        # A session that fails twice is not tried again: it may be what is wrong.
        lost = int(run.journal.fact("lost", 0)) + bool(run.journal.fact("is_begun"))
        run.journal.note(failures=failures, lost=lost, outcome=None)
    return then


def _hand_in(crew: Crew, run: Engagement, reins: Reins, worktree: Worktree, outcome: Outcome) -> Left | None:
    """None where the agent is shown what is wrong, and goes on."""
    if run.duty:
        return _hand_in_duty(crew, run, outcome)
    reins.progress = lambda: Progress("Checking and handing in", run.used)
    done = handing_in.check(crew, run, worktree) if run.is_work else []
    rounds = int(run.journal.fact("rounds", 0))
    passed = all(one.is_passed for one in done)
    then = after_checks(Checking(passed, rounds, crew.settings.checks.rounds))
    if then is Then.AGAIN:
        run.journal.note(rounds=rounds + 1, words=checks.as_words(done), outcome=None)
        return None
    handing_in.keep(crew, run, worktree)
    if then is Then.GIVE_BACK:
        return _give_back(crew, run, checks.as_words(done))
    handing_in.open_pull_request(crew, run, worktree, handing_in.summary_of(run, outcome))
    try:
        handing_in.complete(crew, run, worktree, outcome, done)
    except Refused as refused:
        if refused.is_taken_over or refused.is_of_key:
            raise
        if status_of(crew.server, run.run_id) == "COMPLETED":
            return _end(run, Ending.COMPLETED)
        return _give_back(crew, run, f"The report was refused: {refused}")
    return _end(run, Ending.COMPLETED)


def _hand_in_duty(crew: Crew, run: Engagement, outcome: Outcome) -> Left | None:
    """What is owed; None where the agent is told that it has not given it yet."""
    rounds = int(run.journal.fact("rounds", 0))
    try:
        duties.hand_in(crew, run, outcome)
    except (NotGiven, Refused) as problem:
        if isinstance(problem, Refused) and (problem.is_taken_over or problem.is_of_key):
            raise
        if status_of(crew.server, run.run_id) == "COMPLETED":
            return _end(run, Ending.COMPLETED)
        if rounds >= crew.settings.checks.rounds:
            return _give_back(crew, run, str(problem))
        run.journal.note(rounds=rounds + 1, words=f"It was not taken: {problem}", outcome=None)
        return None
    return _end(run, Ending.COMPLETED)


def _reply_with_question(crew: Crew, run: Engagement, outcome: Outcome) -> Left:
    """A question is an answer, too, where a person talks with it; nobody else can be asked."""
    if outcome.question is None:
        return _give_back(crew, run, outcome.text)
    question = replace(outcome, text="")
    return _hand_in_duty(crew, run, question) or _give_back(crew, run, outcome.text)


def _park(crew: Crew, run: Engagement, worktree: Worktree, outcome: Outcome) -> Left:
    handing_in.keep(crew, run, worktree)
    parking.park(crew, run, outcome, status_of(crew.server, run.run_id))
    return Left.PARKED


def _give_back(crew: Crew, run: Engagement, reason: str, *, is_wanted: bool = True) -> Left:
    """To the queue, with the reason, or out of it; what was done stays on its branch."""
    told = crew.mask()(reason)
    if not run.is_run:
        return _decline(crew, run, told)
    reason = told.strip()[:_LONGEST_REASON] or "It could not be done here."
    times = int(run.journal.fact("times_given_back", 0))
    arguments = {"runId": run.run_id, "reason": reason, "afterMinutes": 0 if is_wanted else _WHILE_MINUTES}
    try:
        run.journal.say(crew.server, f"give back {times}", "runs.giveBack", arguments)
    except Refused as refused:
        if refused.is_of_key:
            raise
        if not refused.is_taken_over and status_of(crew.server, run.run_id) in LIVE:
            # What was refused is remembered; the next time it is asked anew.
            run.journal.note(times_given_back=times + 1)
            raise
    if not is_wanted:
        with suppress(Refused):
            out = {"id": run.identifier, "queued": False}
            run.journal.say(crew.server, "out of the queue", "issues.setQueued", out)
    run.journal.note(problem=told)
    return _end(run, Ending.GIVEN_BACK)


def _decline(crew: Crew, run: Engagement, reason: str) -> Left:
    """There is no queue for it to go back to: a person who waits for a reply is told why there is none."""
    if run.duty["tool"] == duties.CHAT:
        said = f"I can't answer this just now: {reason}"
        with suppress(Refused):
            duties.hand_in(crew, run, Outcome(End.DONE, said[:_LONGEST_REASON]))
    run.journal.note(problem=reason)
    return _end(run, Ending.LOST)


def _close(crew: Crew, run: Engagement) -> Left:
    """It has ended elsewhere: by the child itself, by a person, or by nobody having heard of it."""
    leftovers.end_all(run.run_id)
    status = status_of(crew.server, run.run_id)
    if status != "COMPLETED":
        return _lose(crew, run)
    worktree = _prepare(crew, run)
    handing_in.keep(crew, run, worktree)
    handing_in.open_pull_request(crew, run, worktree, f"Work on {run.identifier}.")
    handing_in.attach_evidence(crew, run, worktree)
    return _end(run, Ending.COMPLETED)


def _lose(crew: Crew, run: Engagement) -> Left:
    """Another has it now: nothing is said any more, and nothing that was done here is thrown away."""
    leftovers.end_all(run.run_id)
    if run.journal.fact("worktree") is None:
        return _end(run, Ending.LOST)
    try:
        worktree = _prepare(crew, run)
        handing_in.commit(crew, run, worktree, f"{run.identifier}: as far as it came")
    except (GitFailed, HookFailed) as problem:
        run.journal.note(problem=str(problem))
    return _end(run, Ending.LOST)


def _end(run: Engagement, ending: Ending) -> Left:
    run.journal.note(ending=ending, outcome=None, parked=None)
    return Left.ENDED


def _prepare(crew: Crew, run: Engagement) -> Worktree:
    leftovers.end_all(run.run_id)
    try:
        crew.repository.fetch()
    except GitFailed:
        # What is here already can be worked on without the others' news.
        crew.repository.start()
    branch = run.journal.fact("branch")
    if branch is None:
        stem = f"{worktrees.PREFIX}{run.identifier}"
        known = crew.repository.branches(stem)
        branch = worktrees.branch_of(run.identifier, run.title, known) if run.is_work else ""
    name = worktrees.folder_of(run.identifier if run.is_work else f"{run.identifier}-{run.run_id}")
    run.journal.note(branch=branch, worktree=name)
    worktree = worktrees.prepare(crew.repository, crew.worktrees / name, branch)
    if not run.journal.fact("is_made"):
        hooks.must_run(crew, run, worktree.path, "after_create")
        run.journal.note(is_made=True)
    return worktree
