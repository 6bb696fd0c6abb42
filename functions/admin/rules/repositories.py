"""What may be said of how a repository's GitHub is reached."""

import re
from collections.abc import Mapping

from forge.contract.names import camel_case
from forge.contract.references import Kind
from forge.errors import InvalidInput
from forge.github import secret_names
from forge.outbound.addresses import Exceptions
from forge.outbound.targets import target_of
from forge.work.backlog.github.mappings import MappingConfig, StatusRules
from forge.work.content.destinations import destinations
from forge.work.issues.edits.transitions import status_of
from forge.work.workspace.workspaces import WorkspaceItem
from functions.admin.models.repositories import ConnectionOrder

_INSTALLATION = re.compile(r"[0-9]{1,20}")


def require_usable(
    order: ConnectionOrder, workspace: WorkspaceItem, *, secrets_root: str, own_machine: bool
) -> None:
    """InvalidInput, by field, where it names another tenant's secret or nothing that can be asked."""
    wrong = _wrong_credentials(order, workspace.id, secrets_root)
    if order.base_url:
        allow = destinations.exceptions_of(workspace, own_machine=own_machine)
        destinations.require_reachable(order.base_url, allow, field="connection.baseUrl")
        if not _is_base(order.base_url, allow):
            wrong["connection.baseUrl"] = "It must begin with https:// and end with its path, as …/api/v3."
    if wrong:
        raise InvalidInput("GitHub can't be reached like this.", issues=wrong)


def named_in(config: MappingConfig) -> dict[str, tuple[Kind, str]]:
    """What a mapping refers to besides statuses, by the field that does."""
    single = {
        "defaultProjectId": (Kind.PROJECT, config.default_project_id),
        "assignedAgentId": (Kind.AGENT, config.assigned_agent_id),
        "claimedById": (Kind.PERSON, config.claimed_by_id),
    }
    labels = {f"defaultLabelIds.{place}": one for place, one in enumerate(config.default_label_ids)}
    labels |= {f"labelMap.{name}": one for name, one in config.label_map.items()}
    said = {name: (kind, word) for name, (kind, word) in single.items() if word}
    said |= {name: (Kind.LABEL, word) for name, word in labels.items()}
    return {f"config.{name}": one for name, one in said.items()}


def with_ids(config: MappingConfig, ids: Mapping[str, str], workspace: WorkspaceItem) -> MappingConfig:
    """The same with the ids of what it names; a status that is not there is refused."""
    labels = [ids[f"config.defaultLabelIds.{place}"] for place in range(len(config.default_label_ids))]
    return config.model_copy(
        update={
            "default_project_id": ids.get("config.defaultProjectId"),
            "assigned_agent_id": ids.get("config.assignedAgentId"),
            "claimed_by_id": ids.get("config.claimedById"),
            "default_label_ids": [*dict.fromkeys(labels)],
            "label_map": {name: ids[f"config.labelMap.{name}"] for name in config.label_map},
            "status_rules": _with_statuses(config.status_rules, workspace) if config.status_rules else None,
        }
    )


def _with_statuses(rules: StatusRules, workspace: WorkspaceItem) -> StatusRules:
    given = {name: word for name, word in rules if word}
    return rules.model_copy(
        update={
            name: status_of(workspace, word, field=f"config.statusRules.{camel_case(name)}").id
            for name, word in given.items()
        }
    )


def _wrong_credentials(order: ConnectionOrder, workspace_id: str, root: str) -> dict[str, str]:
    wrong = {}
    prefix = secret_names.prefix_of(root, workspace_id)
    if order.token_secret_arn and not secret_names.is_own(root, workspace_id, order.token_secret_arn):
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
