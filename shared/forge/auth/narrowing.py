"""What a narrowed key may see. Always ANDed with whatever the caller filters by."""

from collections.abc import Iterable

from forge.context import NOTHING, UNRESTRICTED, Caller, Narrowing
from forge.errors import Forbidden

_HINT = "Use a key without this narrowing, or ask an admin to widen it."


def allows_issue(
    narrowing: Narrowing, *, project_id: str | None, label_ids: Iterable[str], issue_id: str | None = None
) -> bool:
    """In one of the key's projects, under one of its labels, or named; initiatives do not narrow issues."""
    if not narrowing.project_ids and not narrowing.label_ids and not narrowing.issue_ids:
        return True
    if issue_id is not None and issue_id in narrowing.issue_ids:
        return True
    return project_id in narrowing.project_ids or not narrowing.label_ids.isdisjoint(label_ids)


def allows_project(narrowing: Narrowing, project_id: str) -> bool:
    return not narrowing.project_ids or project_id in narrowing.project_ids


def allows_initiative(narrowing: Narrowing, initiative_id: str) -> bool:
    return not narrowing.initiative_ids or initiative_id in narrowing.initiative_ids


def without_gone(narrowing: Narrowing, labels_there: Iterable[str]) -> Narrowing:
    """A deleted label grants nothing; a key that has lost all of them sees nothing, and not everything."""
    left = narrowing.label_ids & frozenset(labels_there)
    if narrowing.label_ids and not left and not narrowing.project_ids:
        left = frozenset({NOTHING})
    return narrowing._replace(label_ids=left)


def require_issue(
    caller: Caller, *, project_id: str | None, label_ids: Iterable[str], issue_id: str | None = None
) -> None:
    if not allows_issue(caller.narrowing, project_id=project_id, label_ids=label_ids, issue_id=issue_id):
        raise Forbidden("This key is narrowed to other projects or labels than this issue's.", hint=_HINT)


def require_within(
    caller: Caller, *, project_id: str | None, label_ids: Iterable[str], issue_id: str | None = None
) -> None:
    """Of an issue that the caller makes or changes: it stays among what the key sees.

    `issue_id` is that of one that stays where it is.
    """
    narrowing = caller.narrowing
    if not allows_issue(narrowing, project_id=project_id, label_ids=label_ids, issue_id=issue_id):
        seen = {
            "projectIds": sorted(narrowing.project_ids - {NOTHING}),
            "labelIds": sorted(narrowing.label_ids - {NOTHING}),
        }
        raise Forbidden(
            "The issue would be outside of what this key is narrowed to.",
            hint="It must be in one of the projects or have one of the labels that details names.",
            details={name: ids for name, ids in seen.items() if ids},
        )


def require_unnarrowed(caller: Caller, tool: str) -> None:
    """Of a tool that can't be confined to a part of the workspace."""
    if caller.narrowing != UNRESTRICTED:
        raise Forbidden(
            f"{tool} is about the whole workspace, and this key is narrowed to a part of it.",
            hint="Use a key that keys.create made without projectIds, labelIds and initiativeIds.",
        )


def require_issue_of_run(caller: Caller, issue_id: str) -> None:
    """What a run's key changes is the issue of its run, and what hangs on it."""
    if caller.run_issue_id not in (None, issue_id):
        raise Forbidden(
            "This key is for one run, and changes nothing but the issue of that.",
            hint="Say in a comment, in followUps or in your summary what should happen elsewhere.",
            details={"runId": caller.run_id, "issueId": caller.run_issue_id},
        )


def require_for_runs(caller: Caller, tool: str) -> None:
    """Of a tool that a run's key is not for."""
    if caller.run_id is not None:
        raise Forbidden(
            f"{tool} is not for the key of a run, which works on its issue, and claims and makes nothing.",
            hint="Say in a comment or in your summary what should happen: who gave you the key can do it.",
            details={"runId": caller.run_id, "issueId": caller.run_issue_id},
        )


def require_project(caller: Caller, project_id: str) -> None:
    if not allows_project(caller.narrowing, project_id):
        raise Forbidden("This key is narrowed to other projects.", hint=_HINT)


def require_initiative(caller: Caller, initiative_id: str) -> None:
    if not allows_initiative(caller.narrowing, initiative_id):
        raise Forbidden("This key is narrowed to other initiatives.", hint=_HINT)
