"""What is asked back before a project is archived."""

from collections.abc import Iterable, Mapping

from forge.work.issues.issues import CLOSED
from forge.work.workspace.projects.projects import ProjectItem
from forge.work.workspace.statuses import StatusCopy


def question(
    project: ProjectItem, statuses: Iterable[StatusCopy], counted: Mapping[str, int], *, is_partial: bool
) -> str:
    """Empty where nothing in it is open. Who sees only some of its issues is not told how many there are."""
    count = sum(counted.get(one.id, 0) for one in statuses if one.category not in CLOSED)
    if not count:
        return ""
    some = "some" if is_partial else str(count)
    return (
        f"Archive the project {project.name} ({project.project_key})? Issues that are open stay so: {some}."
    )
