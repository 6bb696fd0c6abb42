"""What a fire must not have changed, looked at once it is out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from forge.cli.worker.git.commands import git, succeeds
from tests.fire.machines import Workshop

LEAST = {"worker": 40, "child": 20, "server": 5, "emulator": 3, "twice": 3}
MOST_SECONDS = 2.0
"""From the queue to the agent's first word."""

Body = dict[str, Any]


def of_waits(waits: Sequence[float]) -> list[str]:
    """Half of them may be longer: whoever else uses this machine is no fault of ours."""
    middle = median(waits)
    return [f"It took {middle:.1f} s from queue to first call."] if middle > MOST_SECONDS else []


def of_kills(killed: Mapping[str, int]) -> list[str]:
    return [
        f"Only {killed.get(what, 0)} x {what} of {least}: there was not enough to burn."
        for what, least in LEAST.items()
        if killed.get(what, 0) < least
    ]


def of_issues(workshop: Workshop, names: Sequence[str], runs: Mapping[str, Sequence[Body]]) -> list[str]:
    """Each done once, on one branch, with one pull request, and its work on it."""
    wrong = []
    source = workshop.source
    branches = git("for-each-ref", "--format=%(refname:short)", "refs/heads/forge", at=source).split()
    opened = [one.name for one in workshop.pull_requests.iterdir()]
    for name in names:
        own = [one for one in branches if one.startswith(f"forge/{name}-")]
        requests = [one for one in opened if one.startswith(f"forge_{name}-")]
        ends = Counter(str(run["status"]) for run in runs[name])
        if len(own) != 1 or ends["COMPLETED"] != 1 or ends["ACTIVE"] or ends["WAITING"]:
            wrong.append(f"{name}: {len(own)} branches, runs {dict(ends)}")
        elif f"work on {name}" not in git("show", f"{own[0]}:{name}.txt", at=source):
            wrong.append(f"{name}: its work is not on its branch")
        if len(requests) != 1:
            wrong.append(f"{name}: {len(requests)} pull requests")
    return wrong


def of_commits(commits: Sequence[tuple[str, str]], source: Path, clones: Sequence[Path]) -> list[str]:
    """Each is on a branch: of the source, or of the machine where it was made, if that lost the work."""
    return [
        f"{issue}: its commit {commit[:12]} is lost"
        for issue, commit in commits
        if not any(_has(place, commit) for place in (source, *clones))
    ]


def _has(place: Path, commit: str) -> bool:
    if not succeeds("cat-file", "-e", f"{commit}^{{commit}}", at=place):
        return False
    return bool(git("for-each-ref", "--contains", commit, "refs/heads", at=place).strip())
