"""Where a delivery goes, and whether it may: by the receiver as it is now, and the workspace's exceptions."""

from collections.abc import Iterable
from typing import NamedTuple

from forge.errors import InvalidInput
from forge.outbound.addresses import Disallowed, Exceptions, named_host
from forge.outbound.targets import Target, target_of
from forge.work.content.destinations.webhooks import WebhookItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.signing import NextSecret
from forge.work.workspace.workspaces import WorkspaceItem


class Destination(NamedTuple):
    url: str
    secret: str | None
    next_secret: NextSecret | None = None


class Nobody(NamedTuple):
    """There is no receiver any more, and this is why."""

    reason: str


def of_agent(agent: AgentItem | None) -> Destination | Nobody:
    if agent is None:
        return Nobody("There is no such agent.")
    if agent.archived_at is not None:
        return Nobody("The agent was archived.")
    if agent.webhook_url is None:
        return Nobody("The agent has no webhookUrl any more.")
    return Destination(agent.webhook_url, agent.webhook_secret, agent.next_secret)


def of_webhook(webhook: WebhookItem | None) -> Destination | Nobody:
    if webhook is None:
        return Nobody("The webhook was deleted.")
    if not webhook.active:
        return Nobody("The webhook is not active.")
    return Destination(webhook.url, webhook.secret, webhook.next_secret)


def exceptions_of(workspace: WorkspaceItem, *, own_machine: bool) -> Exceptions:
    """What may be reached although it is private: hosts that operators named, and at home this machine."""
    hosts = set()
    for given in workspace.webhook_allowed_hosts:
        try:
            hosts.add(named_host(given, own_machine=own_machine))
        except Disallowed:
            # It could be named before.
            continue
    return Exceptions(frozenset(hosts), loopback=own_machine)


def require_nameable(hosts: Iterable[str], *, own_machine: bool) -> None:
    """Of hosts that operators name: InvalidInput, by place, for what is none or can't be excepted."""
    issues = {}
    for place, given in enumerate(hosts):
        try:
            named_host(given, own_machine=own_machine)
        except Disallowed as refusal:
            issues[f"webhookAllowedHosts.{place}"] = f"{refusal} Give the name or the address of a host."
    if issues:
        raise InvalidInput("Not all of these hosts can be reached.", issues=issues)


def require_reachable(url: str, allow: Exceptions, *, field: str) -> str:
    """That the URL may be asked, by the rules that hold at each delivery; how it is asked."""
    try:
        target: Target = target_of(url, allow=allow)
    except Disallowed as refusal:
        wrong = f"{refusal} Give a public address, or have its host among webhookAllowedHosts."
        raise InvalidInput("Nothing can be sent to this URL.", issues={field: wrong}) from None
    return f"{target.scheme}://{target.authority}{target.path}"
