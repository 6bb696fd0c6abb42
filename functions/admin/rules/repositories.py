"""What may be said of how a repository's GitHub is reached."""

import re

from forge.errors import InvalidInput
from forge.github import secret_names
from forge.outbound.addresses import Exceptions
from forge.outbound.targets import target_of
from forge.work.deliveries import reaching
from forge.work.workspaces.workspaces import WorkspaceItem
from functions.admin.models.repositories import ConnectionOrder

_INSTALLATION = re.compile(r"[0-9]{1,20}")


def require_usable(order: ConnectionOrder, workspace: WorkspaceItem, *, own_machine: bool) -> None:
    """InvalidInput, by field, where it names another tenant's secret or nothing that can be asked."""
    wrong = _wrong_credentials(order, workspace.id)
    if order.base_url:
        allow = reaching.exceptions_of(workspace, own_machine=own_machine)
        reaching.require_reachable(order.base_url, allow, field="connection.baseUrl")
        if not _is_base(order.base_url, allow):
            wrong["connection.baseUrl"] = "It must begin with https:// and end with its path, as …/api/v3."
    if wrong:
        raise InvalidInput("GitHub can't be reached like this.", issues=wrong)


def _wrong_credentials(order: ConnectionOrder, workspace_id: str) -> dict[str, str]:
    wrong = {}
    prefix = secret_names.prefix_of(workspace_id)
    if order.token_secret_arn and not secret_names.is_own(workspace_id, order.token_secret_arn):
        wrong["connection.tokenSecretArn"] = f"It must be of a secret whose name begins with {prefix}"
    if order.installation_id and not _INSTALLATION.fullmatch(order.installation_id):
        wrong["connection.installationId"] = "It is a number, which GitHub shows where the App is installed."
    if order.installation_id and order.token_secret_arn:
        wrong["connection.installationId"] = "Give this or tokenSecretArn, not both."
    return wrong


def _is_base(url: str, allow: Exceptions) -> bool:
    """Tokens go there, so it is secure, unless it is on this machine or at a host that operators named."""
    target = target_of(url, allow=allow)
    is_fit = target.is_secure or allow.loopback or target.host in allow.hosts
    return is_fit and not {"?", "#"} & set(url)
