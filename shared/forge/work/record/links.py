"""Where things are shown to people: with the whole address where the deployment knows it, else the path."""

from forge.context import Context

HOOK_PATH = "/api/github/webhook/"
"""Where GitHub tells what happens; the id of a mapping follows."""
CONSOLE_PATH = "/console"
"""Where people look and decide; what follows, the console's `routes.js` reads."""
WORKSPACES_PATH = "/w/"
"""Where the rows of issues say that they are; it leads on to the console."""
_ISSUES, _GOALS = f"{CONSOLE_PATH}/issues/", f"{CONSOLE_PATH}/goals/"
_REQUESTS, _PIPELINES = f"{CONSOLE_PATH}/requests/", f"{CONSOLE_PATH}/pipelines/"
_PAGES = {
    "issue": _ISSUES,
    "action-request": _REQUESTS,
    "review-gate": f"{CONSOLE_PATH}/gates/",
    "goal": _GOALS,
    "pipeline": _PIPELINES,
}
"""What has a page of its own, as events call it; the id follows."""
_TOGETHER = {"agent": f"{CONSOLE_PATH}/agents"}
"""What is shown with all others of its kind."""


def webhook_url(ctx: Context, mapping_id: str) -> str:
    return _whole(ctx, f"{HOOK_PATH}{mapping_id}")


def issue_url(ctx: Context, identifier: str) -> str:
    return _whole(ctx, f"{_ISSUES}{identifier}")


def issue_path(slug: str, identifier: str) -> str:
    """The same for every deployment, so that a row is."""
    return f"{WORKSPACES_PATH}{slug}/i/{identifier}"


def request_url(ctx: Context, request_id: str) -> str:
    return _whole(ctx, f"{_REQUESTS}{request_id}")


def pipeline_url(ctx: Context, name: str) -> str:
    return _whole(ctx, f"{_PIPELINES}{name}")


def subject_url(
    public_url: str, subject_type: str, subject_id: str, *, issue_id: str | None, goal_id: str | None
) -> str | None:
    """Where people see what an event is about: its own page, or that of its goal or issue; None without."""
    path = _TOGETHER.get(subject_type)
    if subject_type in _PAGES:
        path = f"{_PAGES[subject_type]}{subject_id}"
    elif goal_id is not None:
        path = f"{_GOALS}{goal_id}"
    elif issue_id is not None:
        path = f"{_ISSUES}{issue_id}"
    return path and _at(public_url, path)


def pull_request_url(ctx: Context, repository: str, number: int, *, identifier: str) -> str:
    """With its issue, which nothing else tells once the work on that is over."""
    from urllib.parse import quote  # the router starts without it

    page = f"{CONSOLE_PATH}/repositories/{quote(repository)}/pulls/{number}"
    return _whole(ctx, f"{page}?issue={identifier}")


def _whole(ctx: Context, path: str) -> str:
    return _at(ctx.services.public_url, path)


def _at(public_url: str, path: str) -> str:
    return f"{public_url.rstrip('/')}{path}"
