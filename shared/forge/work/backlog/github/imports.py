"""Importing an issue of GitHub: one issue here for each there, however often it is asked for."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import NamedTuple

from forge.auth import narrowing
from forge.context import Context
from forge.contract.references import Kind
from forge.errors import Conflict
from forge.store.folding import folded
from forge.store.keys import Key, sortable_time
from forge.store.readings import Readings
from forge.store.transactions import Transaction, overtaken
from forge.work.backlog.github import foreign_texts, links, mappings, resources
from forge.work.backlog.github.links import LinkItem, LinkKind
from forge.work.backlog.github.mappings import MappingConfig
from forge.work.backlog.github.resources import GITHUB, ResourceItem, Snapshot
from forge.work.backlog.repositories import RepositoryItem
from forge.work.content.comments.comments import kept
from forge.work.issues import heads
from forge.work.issues.announcements import ISSUE_CLAIMED, Claimed, IssueCreated
from forge.work.issues.auto_dispatch import handovers
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk, new_issue, read_issues, settings_in, settings_key
from forge.work.issues.edits import beginnings, labelling
from forge.work.issues.issues import CLOSED, MAX_LABELS, BodyItem
from forge.work.issues.saving import save_new
from forge.work.record.search import search
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.meanings import unknown
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import Names
from forge.work.workspace.projects.projects import ProjectItem
from forge.work.workspace.statuses import StatusCopy
from forge.work.workspace.workspaces import WorkspaceItem

_CLAIM = timedelta(hours=24)
"""The longest that anybody can claim an issue for."""


class WantedIssue(NamedTuple):
    """What whoever imports says of the issue, beyond what its mapping does."""

    project_id: str | None = None
    label_ids: Sequence[str] = ()
    is_queued: bool | None = None


class Beginning(NamedTuple):
    """What a new issue refers to; what its mapping names and is gone is left out, and said."""

    project_id: str | None
    label_ids: frozenset[str]
    agent_id: str | None
    claimer_id: str | None
    ignored: tuple[str, ...] = ()


class Imported(NamedTuple):
    issue_id: str
    identifier: str
    is_new: bool
    resource: ResourceItem
    link: LinkItem
    ignored: tuple[str, ...] = ()


def meant(
    repository: RepositoryItem, config: MappingConfig, given_labels: Sequence[str], wanted: WantedIssue
) -> Beginning:
    """What the mapping and whoever imports name, there or not; of too many labels the first."""
    by_name = {folded(name): label_id for name, label_id in config.label_map.items()}
    mapped = [by_name[name] for one in given_labels if (name := folded(one)) in by_name]
    labels = [*dict.fromkeys([*wanted.label_ids, *config.default_label_ids, *mapped])]
    return Beginning(
        project_id=wanted.project_id or config.default_project_id or repository.project_id,
        label_ids=frozenset(labels[:MAX_LABELS]),
        agent_id=config.assigned_agent_id,
        claimer_id=config.claimed_by_id,
        ignored=tuple(f"label {one} is beyond the {MAX_LABELS} of an issue" for one in labels[MAX_LABELS:]),
    )


def left_of(named: Beginning, names: Names) -> Beginning:
    """Without what is there no longer."""
    labels = frozenset(one for one in named.label_ids if names.label(one))
    project, agent = names.project(named.project_id), names.agent(named.agent_id)
    has_project = project is not None and not project.archived
    has_agent = agent is not None and agent.archived_at is None
    has_claimer = names.member(named.claimer_id) is not None
    gone = [
        *(f"label {one}" for one in sorted(named.label_ids - labels)),
        *([f"project {named.project_id}"] if named.project_id and not has_project else []),
        *([f"agent {named.agent_id}"] if named.agent_id and not has_agent else []),
        *([f"member {named.claimer_id}"] if named.claimer_id and not has_claimer else []),
    ]
    return Beginning(
        named.project_id if has_project else None,
        labels,
        named.agent_id if has_agent else None,
        named.claimer_id if has_claimer else None,
        (*named.ignored, *(f"{one} is not there any more" for one in gone)),
    )


def first_status(workspace: WorkspaceItem, config: MappingConfig, snapshot: Snapshot) -> StatusCopy:
    """What is closed there begins where its closing would lead it."""
    rules = config.status_rules
    closed = rules.issue_closed_status_id if rules and not snapshot.is_open else None
    return (workspace.status(closed) if closed else None) or workspace.default_status


def import_issue(
    ctx: Context, repository: RepositoryItem, number: int, fetch: Callable[[], Snapshot], wanted: WantedIssue
) -> Imported:
    """Find the issue that was made of it, or plan it.

    The resource says which issue that is. It is written together with the issue, so whoever else imports the
    same meanwhile makes one of the two decide again, and that one finds what the other has made.
    """
    workspace_id = repository.workspace_id
    kind = resources.ResourceType.ISSUE
    resource_id = resources.resource_id(workspace_id, repository.full_name, kind, number)
    known = ctx.table.find(ResourceItem, ResourceItem.at(workspace_id, resource_id))
    made = _made_before(ctx, known) if known else None
    return made or _make(ctx, repository, fetch(), wanted, known)


def _made_before(ctx: Context, known: ResourceItem) -> Imported | None:
    """Not if that issue was archived: then there may be another."""
    issue_id = known.source_issue_id
    if issue_id is None:
        return None
    place = LinkItem.at(known.workspace_id, issue_id, known.id, LinkKind.SOURCE)
    reach = read_issues(ctx, [issue_id], also=[settings_key(ctx), place])
    issue = reach.refuse_hidden(issue_id)
    if issue is None or issue.deleted_at is not None:
        return None
    return Imported(
        issue_id, reach.names.identifier(issue.number), False, known, reach.readings.get(LinkItem, place)
    )


def _make(
    ctx: Context,
    repository: RepositoryItem,
    snapshot: Snapshot,
    wanted: WantedIssue,
    known: ResourceItem | None,
) -> Imported:
    config = mappings.config_of(repository)
    named = meant(repository, config, snapshot.labels, wanted)
    readings = ctx.table.read([settings_key(ctx), *_keys_of(ctx, named)])
    workspace = settings_in(ctx, readings)
    names = Names(workspace, readings)
    _require_there(names, wanted)
    left = left_of(named, names)
    narrowing.require_within(ctx.caller, project_id=left.project_id, label_ids=left.label_ids)
    status = first_status(workspace, config, snapshot)
    change = IssueChange(_desk(ctx, repository, snapshot, left, status, readings))
    _begin(change, repository, snapshot, left, is_queued=_is_queued(config, wanted, status))
    tx = ctx.plan()
    issue = change.issue
    heads.count_labels(tx, issue.workspace_id, added=issue.label_ids, removed=())
    search.index_title(tx, issue.workspace_id, issue.id, old_title=None, new_title=issue.title)
    resource, link = _store(ctx, tx, repository, snapshot, known, issue_id=issue.id)
    save_new(tx, change)
    return Imported(issue.id, names.identifier(issue.number), True, resource, link, left.ignored)


def _keys_of(ctx: Context, named: Beginning) -> list[Key]:
    """The keys of labels, project and people that an imported issue refers to, and of the caller."""
    workspace_id, caller = ctx.caller.workspace_id, ctx.caller
    people = [one for one in (named.claimer_id, caller.user_id) if one]
    agents = [one for one in (named.agent_id, caller.agent_id) if one]
    return [
        *(LabelItem.at(workspace_id, one) for one in sorted(named.label_ids)),
        *([ProjectItem.at(workspace_id, named.project_id)] if named.project_id else []),
        *(MemberItem.at(workspace_id, one) for one in people),
        *(AgentItem.at(workspace_id, one) for one in agents),
    ]


def _require_there(names: Names, wanted: WantedIssue) -> None:
    labelling.require_labels(names, wanted.label_ids, field="labelIds")
    project = names.project(wanted.project_id)
    if wanted.project_id and project is None:
        raise unknown(Kind.PROJECT, "projectId", wanted.project_id)
    if wanted.project_id and project and project.archived:
        raise Conflict("This project was archived.", hint="Choose another, or unarchive it.")


def _is_queued(config: MappingConfig, wanted: WantedIssue, status: StatusCopy) -> bool:
    """What is over already is queued only for whoever insists, who is told why not."""
    if wanted.is_queued is not None:
        return wanted.is_queued
    return config.queue_on_create and status.category not in CLOSED


def _desk(
    ctx: Context,
    repository: RepositoryItem,
    snapshot: Snapshot,
    named: Beginning,
    status: StatusCopy,
    readings: Readings,
) -> Desk:
    workspace = settings_in(ctx, readings)
    issue = beginnings.first_head(
        workspace,
        status,
        ctx.caller,
        number=beginnings.number_of(ctx),
        now=ctx.now(),
        id=ctx.new_id("iss"),
        title=snapshot.title,
        priority=mappings.config_of(repository).default_priority,
        project_id=named.project_id,
        label_ids=named.label_ids,
    )
    text = description_of(repository, snapshot)
    body = BodyItem(workspace_id=workspace.id, issue_id=issue.id, description=kept(ctx, issue, text))
    return new_issue(ctx, issue, body, readings=readings, assignee_id=named.agent_id)


def description_of(repository: RepositoryItem, snapshot: Snapshot) -> str:
    return foreign_texts.as_description(
        url=snapshot.url, repository=repository.full_name, author=snapshot.author, body=snapshot.body
    )


def _begin(
    change: IssueChange,
    repository: RepositoryItem,
    snapshot: Snapshot,
    named: Beginning,
    *,
    is_queued: bool,
) -> None:
    issue = change.issue
    told = IssueCreated(
        number=issue.number,
        title=issue.title,
        source=GITHUB,
        repo=repository.full_name,
        resource_type=snapshot.type,
        external_number=snapshot.number,
    )
    agent = change.desk.names.agent(named.agent_id) if issue.is_open else None
    beginnings.begin(change, is_queued=is_queued, agent=agent, told=told)
    if named.claimer_id and issue.is_open:
        _claim_for(change, named.claimer_id)
    handovers.offer(change)


def _claim_for(change: IssueChange, user_id: str) -> None:
    until = change.now + _CLAIM
    change.set(
        claimed_at=change.now,
        claimed_by_id=user_id,
        claim_expires_at=until,
        claim_minutes=int(_CLAIM.total_seconds()) // 60,
        assignee_ids=change.issue.assignee_ids | {user_id},
    )
    told = Claimed(
        claimed=True, claimed_by_id=user_id, claimed_by_agent_id=None, claim_expires_at=sortable_time(until)
    )
    change.announce(ISSUE_CLAIMED, told, action="claim", is_quiet=True)


def _store(
    ctx: Context,
    tx: Transaction,
    repository: RepositoryItem,
    snapshot: Snapshot,
    known: ResourceItem | None,
    *,
    issue_id: str,
) -> tuple[ResourceItem, LinkItem]:
    now = ctx.now()
    if known:
        resource = known.seen_again(repository, snapshot, now).changed(source_issue_id=issue_id)
        tx.replace(resource)
    else:
        resource = resources.first_seen(repository, snapshot, now).changed(source_issue_id=issue_id)
        tx.create(resource, refusal=overtaken)
    link = links.new(ctx, issue_id=issue_id, resource_id=resource.id, kind=LinkKind.SOURCE)
    links.add(tx, link)
    return resource, link
