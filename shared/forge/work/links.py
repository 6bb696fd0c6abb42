"""Where things are shown to people: with the whole address where the deployment knows it, else the path."""

from forge.context import Context

HOOK_PATH = "/api/github/webhook/"
"""Where GitHub tells what happens; the id of a mapping follows."""
CONSOLE_PATH = "/console"
"""Where people look and decide; what follows, the console's `routes.js` reads."""
WORKSPACES_PATH = "/w/"
"""Where the rows of issues say that they are; it leads on to the console."""


def webhook_url(ctx: Context, mapping_id: str) -> str:
    return _whole(ctx, f"{HOOK_PATH}{mapping_id}")


def issue_url(ctx: Context, identifier: str) -> str:
    return _whole(ctx, f"{CONSOLE_PATH}/issues/{identifier}")


def issue_path(slug: str, identifier: str) -> str:
    """The same for every deployment, so that a row is."""
    return f"{WORKSPACES_PATH}{slug}/i/{identifier}"


def request_url(ctx: Context, request_id: str) -> str:
    return _whole(ctx, f"{CONSOLE_PATH}/requests/{request_id}")


def pull_request_url(ctx: Context, repository: str, number: int, *, identifier: str) -> str:
    """With its issue, which nothing else tells once the work on that is over."""
    from urllib.parse import quote  # the router starts without it

    page = f"{CONSOLE_PATH}/repositories/{quote(repository)}/pulls/{number}"
    return _whole(ctx, f"{page}?issue={identifier}")


def _whole(ctx: Context, path: str) -> str:
    return f"{ctx.services.public_url.rstrip('/')}{path}"
