"""What each answer of a person does. Every checkpoint and gate that is ever handed out stands here."""

import unicodedata
from collections.abc import Callable

from forge.work.pipelines import phases
from forge.work.pipelines.actions import Action, ActionType
from forge.work.pipelines.engine import wording
from forge.work.pipelines.engine.progress import ANSWERED, PhaseEntry, Progress
from forge.work.pipelines.engine.wording import ABANDON, APPROVE, DONE, POST, PROCEED, REVISE, SKIP
from forge.work.pipelines.tasks import Reviewed

_SAME = {
    **dict.fromkeys(
        ("yes", "ok", "lgtm", PROCEED, APPROVE, "はい", "承認", "進めて", "続行"), (PROCEED, APPROVE)
    ),
    **dict.fromkeys(("reject", "no", "いいえ", "却下", "修正", "やり直し"), (REVISE,)),
    **dict.fromkeys(("完了", "終わった", "終わりました"), (DONE,)),
    **dict.fromkeys(("スキップ", "飛ばす"), (SKIP,)),
    **dict.fromkeys(("中止", "破棄"), (ABANDON,)),
    "投稿": (POST,),
}
"""What else people say for an option."""

_POSITIVE = (PROCEED, APPROVE, POST, DONE)

Effect = Callable[[Progress, Action], None]


def understood(action: Action, said: str) -> str | None:
    """The option that is meant; None where none is."""
    word = unicodedata.normalize("NFKC", said).strip(" \t\n.!。！`\"'*").lower()
    return next((one for one in (word, *_SAME.get(word, ())) if one in action.options), None)


def yes_to(action: Action) -> str:
    """The option that goes on."""
    return next(one for one in action.options if one in _POSITIVE)


def no_to(action: Action) -> str:
    """The option that a declined request chooses: revise where offered, else abandon or skip."""
    return next(one for one in (REVISE, ABANDON, SKIP) if one in action.options)


def answer(progress: Progress, action: Action, option: str) -> None:
    """Carry out an option that the action offers."""
    progress.log(PhaseEntry(action.phase, ANSWERED))
    progress.happen("checkpoint", action.phase, outcome=option, detail=str(action.name))
    if option == ABANDON:
        progress.abandon(f"at {action.name}")
        return
    _EFFECTS[_kind(action)][option](progress, action)
    progress.set(action=None)


def _kind(action: Action) -> str:
    if action.type is ActionType.HUMAN_GATE:
        return ActionType.HUMAN_GATE
    name = str(action.name)
    return wording.IMPL_RETRY_LIMIT if name.startswith(wording.IMPL_RETRY_LIMIT) else name


def _go_on(progress: Progress, action: Action) -> None:
    progress.complete(action.phase, outcome="answered")


def _accept_design(progress: Progress, action: Action) -> None:
    """Accept the design and complete its review, so that the person is not asked about it again."""
    progress.set(is_design_accepted=True)
    progress.complete(phases.DESIGN_REVIEW, outcome="accepted")


def _redraw(progress: Progress, action: Action) -> None:
    """Without its review: a person has seen more than that."""
    progress.remove(phases.DESIGN_REVIEW_MD)
    _redraw_from_review(progress, action)


def _redraw_from_review(progress: Progress, action: Action) -> None:
    times = progress.state.design_inline_revisions + 1
    progress.set(is_design_accepted=False, is_design_cap_reached=False, design_inline_revisions=times)
    progress.go_back(phases.DESIGN)


def _cut_anew(progress: Progress, action: Action) -> None:
    progress.remove(phases.TASKS_REVIEW_MD)
    _cut_from_review(progress, action)


def _cut_from_review(progress: Progress, action: Action) -> None:
    progress.set(task_inline_revisions=progress.state.task_inline_revisions + 1)
    progress.go_back(phases.TASKS)


def _accept_tasks(progress: Progress, action: Action) -> None:
    progress.remove(phases.TASKS_REVIEW_MD)
    progress.set(tasks={}, are_tasks_accepted=True)
    progress.complete(phases.TASKS, outcome="accepted")


def _accept_task(progress: Progress, action: Action) -> None:
    number = str(action.name).removeprefix(wording.IMPL_RETRY_LIMIT)
    passed = progress.state.tasks[number].changed(review=Reviewed.PASSED)
    progress.after = progress.state.with_tasks({number: passed})


def _settle_task(progress: Progress, action: Action, *, is_passed_over: bool) -> None:
    """What a person did is not reviewed by an agent."""
    number = str(action.task)
    task = progress.state.tasks[number]
    settled = task.changed(is_done=True, review=Reviewed.PASSED, is_passed_over=is_passed_over)
    progress.after = progress.state.with_tasks({number: settled})


def _task_is_done(progress: Progress, action: Action) -> None:
    _settle_task(progress, action, is_passed_over=False)


def _task_is_left_out(progress: Progress, action: Action) -> None:
    _settle_task(progress, action, is_passed_over=True)


_EFFECTS: dict[str, dict[str, Effect]] = {
    phases.DESIGN_CHECKPOINT: {PROCEED: _go_on, REVISE: _redraw},
    phases.TASKS_CHECKPOINT: {PROCEED: _go_on, REVISE: _cut_anew},
    "design-approved": {PROCEED: _accept_design, REVISE: _redraw_from_review},
    "design-review-unknown": {APPROVE: _accept_design, REVISE: _redraw},
    "design-retry-limit": {APPROVE: _accept_design},
    "tasks-approved": {PROCEED: _go_on, REVISE: _cut_from_review},
    "task-review-unknown": {APPROVE: _go_on, REVISE: _cut_anew},
    "task-retry-limit": {APPROVE: _go_on},
    "task-workflow-rules-retry-limit": {APPROVE: _accept_tasks},
    wording.IMPL_RETRY_LIMIT: {APPROVE: _accept_task},
    phases.POSTING: {POST: _go_on, SKIP: _go_on},
    ActionType.HUMAN_GATE: {DONE: _task_is_done, SKIP: _task_is_left_out},
}
