"""Git work, which only the caller can do: what it is asked to run, each word safe from its shell."""

from shlex import quote

from forge.work.pipelines import phases
from forge.work.pipelines.actions import Action, ActionType, Purpose
from forge.work.pipelines.pipelines import PipelineItem, PipelineSource
from forge.work.pipelines.tasks import Mode, numbers_where

_PULL_REQUEST_TYPES = {"feature": "feat"}
_KNOWN_TYPES = frozenset({"feat", "fix", "refactor", "docs", "chore"})

_ADD_AND_COMMIT = (
    'for file in "$@"; do git add -A -- "$file" 2>/dev/null || echo "not there: $file"; done; '
    'git diff --cached --quiet || git commit -m "$0"'
)
_ADD_TRACKED = "git add -u; "


def rename_branch(state: PipelineItem, new: str) -> Action:
    commands = ["git", "branch", "-m", "--", str(state.branch), new]
    return _run(phases.DESIGN_CHECKPOINT, commands, Purpose.RENAME_BRANCH).changed(branch=new)


def push_branch() -> Action:
    commands = ["git", "push", "-u", "origin", "HEAD"]
    return _run(phases.PULL_REQUEST, commands, Purpose.PUSH_BRANCH)


def batch_commit(state: PipelineItem) -> Action:
    """The files of tasks that were done side by side, and whatever changed where one of them names none."""
    parallel = numbers_where(state.tasks, lambda task: task.mode is Mode.PARALLEL and task.is_done)
    named = (file.strip().strip("`") for number in parallel for file in state.tasks[number].files)
    files = [file for file in dict.fromkeys(named) if file]
    message = f"chore: commit parallel tasks {', '.join(parallel)}"
    is_all_named = all(state.tasks[number].files for number in parallel)
    script = _ADD_AND_COMMIT if is_all_named else _ADD_TRACKED + _ADD_AND_COMMIT
    return _run(phases.IMPLEMENTATION, ["sh", "-c", script, message, *files], Purpose.BATCH_COMMIT)


def create_pull_request(state: PipelineItem) -> Action:
    title = f"{_type_of(state.branch or '')}: {state.title or state.spec_name.replace('-', ' ')}"
    body = ["The summary follows when the pipeline is done.", f"Spec: {state.spec_name}", *_closing(state)]
    commands = ["gh", "pr", "create", "--title", title, "--body", "\n\n".join(body)]
    return Action(type=ActionType.EXEC, phase=phases.PULL_REQUEST, commands=commands)


def final_commit(state: PipelineItem) -> Action:
    """The summary becomes the text of the pull request, and a commit after all others, if the caller has it.

    Nothing that was pushed is ever changed: others may have it already, and a branch may be protected.
    """
    summary = quote(f"{state.path}/{phases.SUMMARY_MD}")
    closing = "".join(f"; printf '\\n%s\\n' {quote(line)}" for line in _closing(state))
    message = quote(f"docs: summary of {state.spec_name}")
    script = (
        f"[ -f {summary} ] || exit 0; {{ cat {summary}{closing}; }} | gh pr edit --body-file - || true; "
        f"git check-ignore -q {summary} && exit 0; git add -f -- {summary}; "
        f"git diff --cached --quiet -- {summary} || "
        f"{{ git commit -m {message} -- {summary} && git push origin HEAD; }}"
    )
    return _run(phases.FINAL_COMMIT, ["sh", "-c", script], Purpose.FINAL_COMMIT)


def _run(phase: str, commands: list[str], purpose: Purpose) -> Action:
    return Action(type=ActionType.EXEC, phase=phase, commands=commands, purpose=purpose, setup_only=True)


def _type_of(branch: str) -> str:
    prefix = branch.partition("/")[0]
    kind = _PULL_REQUEST_TYPES.get(prefix, prefix)
    return kind if kind in _KNOWN_TYPES else "feat"


def _closing(state: PipelineItem) -> list[str]:
    is_github = state.source_type is PipelineSource.GITHUB and state.source_id
    return [f"Closes #{state.source_id}"] if is_github else []
