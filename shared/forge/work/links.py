"""Where things are shown to people: with the whole address where the deployment knows it, else the path."""

from urllib.parse import quote

from forge.context import Context


def issue_url(ctx: Context, identifier: str) -> str:
    return _whole(ctx, f"/console/issues/{identifier}")


def pull_request_url(ctx: Context, repository: str, number: int) -> str:
    return _whole(ctx, f"/console/repositories/{quote(repository)}/pulls/{number}")


def _whole(ctx: Context, path: str) -> str:
    return f"{ctx.services.public_url.rstrip('/')}{path}"
