"""How a registered repository is reached at GitHub: by the workspace's own credentials, where it may."""

import os
from collections.abc import Mapping

from forge.errors import NotFound
from forge.github.calls import Calls, Site
from forge.github.client import GitHubRepository
from forge.github.credentials import GitHubGrant, Means, token_for
from forge.github.failures import GitHubRefused
from forge.work.backlog.repositories import Connection, RepositoryItem
from forge.work.content.destinations.destinations import exceptions_of
from forge.work.workspace import workspaces
from forge.work.workspace.workers import Worker

OWN_TOKEN = "FORGE_GITHUB_TOKEN"
"""The variable that holds it, on a machine of somebody's own."""
_FORBIDDEN = 403


def connect(
    worker: Worker, repository: RepositoryItem, environment: Mapping[str, str] = os.environ
) -> GitHubRepository:
    """Nothing is asked yet, and no secret fetched. Whatever fails, now or then, is a GitHubFailure."""
    if repository.paused:
        name = repository.full_name
        raise GitHubRefused(
            f"{name} is paused: an admin goes on with repositories.update.", status=_FORBIDDEN
        )
    connection = repository.connection or Connection()
    site = _site(worker, repository.workspace_id, connection.base_url)
    grant = GitHubGrant(
        repository.workspace_id,
        token_secret=connection.token_secret_arn,
        installation_id=connection.installation_id,
        own_token=environment.get(OWN_TOKEN) if worker.own_machine else None,
    )
    means = Means(worker.store.secrets, worker.outbound, site, worker.clock)
    return GitHubRepository(
        Calls(worker.outbound, lambda: token_for(grant, means), site), repository.full_name
    )


def _site(worker: Worker, workspace_id: str, base_url: str | None) -> Site:
    """The public one needs no exceptions, so nothing is read for it."""
    if base_url is None:
        return Site()
    try:
        workspace = workspaces.get(worker.store.table, workspace_id)
    except NotFound:
        raise GitHubRefused("The workspace of this repository does not exist any more.") from None
    return Site(base_url, exceptions_of(workspace, own_machine=worker.own_machine))
