"""After the agent: check, commit, push, open the pull request, and report; each counts once, if repeated."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from forge.cli.calls import printable
from forge.cli.worker.agents.protocol import Outcome
from forge.cli.worker.git import worktrees
from forge.cli.worker.git.commands import GitFailed
from forge.cli.worker.git.worktrees import Worktree
from forge.cli.worker.processes.children import Start
from forge.cli.worker.processes.commands import ran
from forge.cli.worker.runs import checks
from forge.cli.worker.runs.checks import Checked
from forge.cli.worker.runs.crews import Crew
from forge.cli.worker.runs.engagements import Engagement
from forge.cli.worker.server.client import FOR_EVER, Refused, Stopping

T = TypeVar("T")

_LONGEST_SUMMARY = 8_000
_LONGEST_SUBJECT = 60
_LONGEST_ARTIFACT = 100_000
_PULL_REQUEST_SECONDS = 300
_URL = re.compile(r"https?://\S+")
_VERDICT = re.compile(r"\b(APPROVE|REQUEST_CHANGES)\b")


def check(crew: Crew, run: Engagement, worktree: Worktree) -> list[Checked]:
    """What the repository's checks say of the folder as it is now. Refused to who has lost the work."""
    step = "Running the checks" if crew.settings.checks.commands else "Handing in"
    crew.server.call("runs.resumeWork", {"runId": run.run_id, "currentStep": step}, patience=FOR_EVER)
    return _checked(crew, run, worktree)


def _checked(crew: Crew, run: Engagement, worktree: Worktree) -> list[Checked]:
    settings = crew.settings.checks
    return checks.run_checks(settings.commands, crew.around_of(run, worktree.path, settings.minutes))


def keep(crew: Crew, run: Engagement, worktree: Worktree) -> None:
    """Whatever is there is on the branch, and elsewhere too where that is wanted."""
    if not worktree.branch:
        return
    worktrees.settle(worktree)
    commit(crew, run, worktree, _subject(run))
    _require_ours(crew, run)
    if crew.settings.git.push and worktrees.commits_since_start(worktree):
        _patiently(crew, lambda: worktrees.push(worktree, crew.author))
        run.journal.note(pushed=worktrees.head_of(worktree))


def _require_ours(crew: Crew, run: Engagement) -> None:
    """Refused to whoever slept while another took the work over, and perhaps reported it."""
    told = {"runId": run.run_id, **run.used.arguments()}
    crew.server.call("runs.recordUsage", told, patience=FOR_EVER)


def commit(crew: Crew, run: Engagement, worktree: Worktree, subject: str) -> None:
    trailers = {"Forge-Issue": run.identifier, "Forge-Run": run.run_id}
    worktrees.commit_all(worktree, subject, crew.author, trailers)


def open_pull_request(crew: Crew, run: Engagement, worktree: Worktree, summary: str) -> None:
    """By the owner's command, which finds the one that is open where there is one."""
    command = crew.settings.git.pull_request
    if not command or not worktree.branch or not run.journal.fact("pushed"):
        return
    url = run.journal.fact("pull_request")
    if url is None:
        url = _patiently(crew, lambda: _opened(crew, run, worktree, summary))
        run.journal.note(pull_request=url)
    if url:
        attach = {
            "targetType": "ISSUE",
            "targetId": run.bundle["issue"]["id"],
            "externalUrl": url,
            "linkTitle": f"Pull request of {run.identifier}",
        }
        try:
            run.journal.say(crew.server, "link", "attachments.attachLink", attach)
        except Refused as refused:
            # An address that nobody outside reaches is no link; the summary names it.
            if refused.is_taken_over:
                raise


def complete(
    crew: Crew, run: Engagement, worktree: Worktree, outcome: Outcome, done: Sequence[Checked]
) -> None:
    """Report it. What Forge refuses is raised, and the same again for whoever repeats it."""
    report: dict[str, Any] = {"runId": run.run_id, "summary": crew.mask()(summary_of(run, outcome))}
    usage = run.used.usage.arguments()
    report |= {"usage": usage} if usage else {}
    if run.is_work:
        results = outcome.report.get("verificationResult") or results_of(run.bundle, done)
        report |= {"verificationResult": results} if results else {}
        if done:
            report["artifact"] = _evidence(crew, run, worktree, done)
    else:
        report |= _opinion(run.mode, outcome)
    report |= {name: value for name, value in outcome.report.items() if name != "verificationResult"}
    run.journal.say(crew.server, "complete", "runs.complete", report)


def attach_evidence(crew: Crew, run: Engagement, worktree: Worktree) -> None:
    """Of a run that its child has reported by itself: what the checks say all the same."""
    if not run.is_work or not crew.settings.checks.commands or run.journal.said("complete"):
        return
    done = _checked(crew, run, worktree)
    arguments = {"issueId": run.bundle["issue"]["id"], **_evidence(crew, run, worktree, done)}
    run.journal.say(crew.server, "evidence", "artifacts.create", arguments)


def summary_of(run: Engagement, outcome: Outcome) -> str:
    told = outcome.text.strip() or f"Worked on {run.identifier}."
    lines = [told[:_LONGEST_SUMMARY]]
    branch, url = run.journal.fact("branch"), run.journal.fact("pull_request")
    lines += [f"Branch: {branch}"] if branch and run.is_work else []
    lines += [f"Pull request: {url}"] if url else []
    return "\n\n".join(lines)


def results_of(bundle: Mapping[str, Any], done: Sequence[Checked]) -> list[dict[str, Any]]:
    """One for each point that is asked for, with what was observed."""
    asked = (bundle.get("completionContract") or {}).get("verificationChecklist") or ()
    observed = ", ".join(f"{one.command}: exit {one.code}" for one in done) or "said by the agent"
    return [
        {name: one[name] for name in ("id", "label", "kind") if one.get(name)}
        | {"value": observed, "done": True}
        for one in asked
    ]


def _evidence(crew: Crew, run: Engagement, worktree: Worktree, done: Sequence[Checked]) -> dict[str, Any]:
    body = crew.mask()(checks.as_markdown(done, commit=worktrees.head_of(worktree), branch=worktree.branch))
    title = f"Checks of {run.identifier}"
    return {"title": title, "body": body[:_LONGEST_ARTIFACT], "artifactType": "VERIFICATION"}


def _opinion(mode: str, outcome: Outcome) -> dict[str, Any]:
    """What runs that only look have to say besides."""
    if mode == "REVIEW":
        found = _VERDICT.findall(outcome.text)
        return {"verdict": found[-1]} if found else {}
    return {"confidence": "MEDIUM"} if mode == "RESEARCH" else {}


def _subject(run: Engagement) -> str:
    """One line, whatever the title holds: what follows would be taken for trailers."""
    title = printable(run.title)
    shown = title if len(title) <= _LONGEST_SUBJECT else f"{title[:_LONGEST_SUBJECT]}…"
    return f"{run.identifier}: {shown}"


def _patiently(crew: Crew, act: Callable[[], T]) -> T:
    """Whoever is away may come back: the work is done, and would be done again elsewhere."""
    for pause in crew.pauses:
        try:
            return act()
        except GitFailed:
            if crew.stopping.wait(pause):
                raise Stopping from None
    return act()


def _opened(crew: Crew, run: Engagement, worktree: Worktree, summary: str) -> str:
    # Not in its home: there the child may have put a link to somewhere else.
    text = run.folder / "pull-request.md"
    text.write_text(summary, encoding="utf-8")
    environment = crew.owners(run, FORGE_TITLE=_subject(run), FORGE_BODY_FILE=str(text))
    command, complaints = crew.settings.git.pull_request, run.folder / "pull-request.log"
    complaints.unlink(missing_ok=True)
    start = Start(["sh", "-c", command], worktree.path, environment, complaints)
    done = ran(start, seconds=_PULL_REQUEST_SECONDS, stopping=crew.stopping)
    if done.is_stopped:
        raise Stopping
    if done.is_late:
        raise GitFailed(f"The pull request's command had not ended after {_PULL_REQUEST_SECONDS} s.")
    if done.code:
        raise GitFailed(f"The pull request was not opened: {(done.complaints or done.said).strip()[-1000:]}")
    found = _URL.findall(done.said)
    return str(found[-1]) if found else ""
