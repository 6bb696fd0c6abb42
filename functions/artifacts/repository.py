"""Reading artifacts: one with its versions, one that is to be changed, and pages of them."""

from collections.abc import Sequence

from forge.context import Caller, Context
from forge.errors import Forbidden
from forge.store import keys
from forge.store.cursors import decode_cursor, encode_cursor
from forge.store.keys import Key
from forge.store.pages import MAX_READ, Found, Listing, read_page
from forge.store.physical import PARTITION
from forge.store.table import SortRange
from forge.work.artifacts import artifact_keys, artifacts
from forge.work.artifacts.artifacts import (
    KIND,
    ArtifactItem,
    ArtifactLinkItem,
    ArtifactStatus,
    ArtifactVersionItem,
)
from forge.work.issues import issue_keys
from forge.work.issues.desks import (
    Desk,
    may_see,
    no_such_issue,
    open_issue,
    require_visible,
    resolve,
    workspace_in,
)
from forge.work.issues.issues import IssueItem
from forge.work.paging.sights import is_narrowed, page_of_visible
from forge.work.people.names import MAX_NAMES, how_many_fit
from forge.work.workspaces import workspace_keys
from forge.work.workspaces.guards import GuardItem
from functions.artifacts.models import ListArtifacts

SHOWN_VERSIONS = 10
_PLACE = "updatedSk"


def read_whole(
    ctx: Context, *, artifact_id: str | None, slug: str | None
) -> tuple[ArtifactItem, list[ArtifactVersionItem]]:
    """An artifact and its last versions, the newest first, which is the one that it has now."""
    given = artifact_id or str(slug)
    partition = artifact_keys.artifact_partition(
        ctx.caller.workspace_id, artifact_id or _owner_of(ctx, given)
    )
    rows = ctx.table.query(partition, limit=1 + SHOWN_VERSIONS, is_descending=True).rows
    if not rows:
        raise artifacts.no_such_artifact(given)
    artifact = ArtifactItem.from_attributes(rows[0])
    _require_sight(ctx, artifact)
    versions = [ArtifactVersionItem.from_attributes(row) for row in rows[1:]]
    # A version that came into being while this was read belongs to a later artifact.
    return artifact, [version for version in versions if version.number <= artifact.version_number]


def open_artifact(
    ctx: Context, artifact_id: str, *, with_text: bool = False
) -> tuple[ArtifactItem, Desk | None]:
    """An artifact that the caller may change, and the desk of its issue, if it belongs to one."""
    artifact = artifacts.get(ctx.table, ctx.caller.workspace_id, artifact_id)
    if artifact.issue_id is None:
        require_unnarrowed(ctx.caller)
        return artifact, None
    return artifact, open_issue(ctx, artifact.issue_id, lambda _: [_current(artifact)] if with_text else [])


def find_version(ctx: Context, artifact: ArtifactItem, desk: Desk | None) -> ArtifactVersionItem | None:
    """The version that an artifact has which was opened with its text."""
    key = _current(artifact)
    return desk.find(ArtifactVersionItem, key) if desk else ctx.table.find(ArtifactVersionItem, key)


def require_unnarrowed(caller: Caller) -> None:
    """For what belongs to no issue: a narrowed key neither sees it nor makes it."""
    if is_narrowed(caller):
        raise Forbidden(
            "This key is narrowed to some issues, and this artifact would belong to none.",
            hint="Name an issue that this key can see, or use a key without narrowing.",
        )


def read_list(ctx: Context, request: ListArtifacts) -> Found[ArtifactItem]:
    """What the caller may see, the one that changed last first."""
    return _of_issue(ctx, request, request.issue_id) if request.issue_id else _of_all(ctx, request)


def _owner_of(ctx: Context, slug: str) -> str:
    guard = ctx.table.find(GuardItem, workspace_keys.guard(ctx.caller.workspace_id, KIND, slug))
    if guard is None:
        raise artifacts.no_such_artifact(slug)
    return guard.owner_id


def _current(artifact: ArtifactItem) -> Key:
    return artifact_keys.artifact_version(artifact.workspace_id, artifact.id, artifact.version_number)


def _require_sight(ctx: Context, artifact: ArtifactItem) -> None:
    if not is_narrowed(ctx.caller):
        return
    if artifact.issue_id is None:
        require_unnarrowed(ctx.caller)
        return
    open_issue(ctx, artifact.issue_id)


def _is_wanted(request: ListArtifacts, artifact: ArtifactItem | ArtifactLinkItem) -> bool:
    """Whoever asks for archived ones by their status gets them, too."""
    status = artifact.status
    is_shown = request.include_archived or status is not ArtifactStatus.ARCHIVED or request.status is status
    return is_shown and request.status in (None, status) and request.artifact_type in (None, artifact.type)


def _of_all(ctx: Context, request: ListArtifacts) -> Found[ArtifactItem]:
    """By the index; what a narrowed key may see is looked up for as many as one request can tell."""
    workspace_id, narrowed = ctx.caller.workspace_id, is_narrowed(ctx.caller)

    def accepts(artifact: ArtifactItem) -> bool:
        return _is_wanted(request, artifact) and (not narrowed or artifact.issue_id is not None)

    partition = keys.updated(workspace_id, KIND)
    listing = Listing(keys.workspace_prefix(workspace_id), partition, "updated", is_descending=True)
    most = MAX_READ if narrowed else request.limit
    read = read_page(ctx.table, ArtifactItem, listing, limit=most, cursor=request.cursor, accepts=accepts)
    return _visible(ctx, read, limit=request.limit) if narrowed else read


def _visible(ctx: Context, read: Found[ArtifactItem], *, limit: int) -> Found[ArtifactItem]:
    heads = [issue_keys.head(one.workspace_id, str(one.issue_id)) for one in read.items]
    size = how_many_fit([[head] for head in heads], most=MAX_NAMES)
    rows = ctx.table.find_rows(heads[:size])
    allowed = {head for head, row in rows.items() if may_see(ctx, IssueItem.from_attributes(row))}
    visible = [one for one, head in zip(read.items[:size], heads, strict=False) if head in allowed]
    return page_of_visible(read, visible, considered=size, limit=limit)


def _of_issue(ctx: Context, request: ListArtifacts, given: str) -> Found[ArtifactItem]:
    """By the links of the issue, which tell which ones and in which order; two requests."""
    workspace_id, reference = ctx.caller.workspace_id, resolve(ctx, given)
    partition = issue_keys.partition(workspace_id, reference.issue_id)
    links = _links(ctx, request, partition)
    shown = links[: min(request.limit, MAX_NAMES - 1)]
    head, settings = issue_keys.head(workspace_id, reference.issue_id), workspace_keys.workspace(workspace_id)
    wanted = [artifact_keys.artifact(workspace_id, link.id) for link in shown]
    rows = ctx.table.find_rows([head, settings, *wanted])
    issue = IssueItem.from_attributes(rows[head]) if head in rows else None
    if issue is None or issue.deleted_at is not None or not reference.is_of(workspace_in(ctx, rows)):
        raise no_such_issue(given)
    require_visible(ctx, issue)
    positions = {
        key: {PARTITION: partition, _PLACE: link.by_update} for key, link in zip(wanted, shown, strict=True)
    }
    rest = encode_cursor(positions[wanted[-1]]) if len(shown) < len(links) else None
    found = [ArtifactItem.from_attributes(rows[key]) for key in wanted if key in rows]
    # One that was changed since its link was read may not belong here any more.
    items = [artifact for artifact in found if _is_wanted(request, artifact)]
    is_truncated = rest is not None and len(items) < request.limit
    return Found(items, rest, is_truncated=is_truncated, positions=positions)


def _links(ctx: Context, request: ListArtifacts, partition: str) -> Sequence[ArtifactLinkItem]:
    """Those that are wanted and come after the cursor."""

    def is_of_this_list(position: dict[str, str]) -> bool:
        return position.keys() == {PARTITION, _PLACE} and position[PARTITION] == partition

    passed = decode_cursor(request.cursor, is_of_this_list)[_PLACE] if request.cursor else None
    # Some more than there may be: two who add the first ones at once both succeed.
    most = 2 * artifacts.MAX_OF_ISSUE
    rows = ctx.table.query_all(partition, most=most, sort=SortRange(prefix=issue_keys.ARTIFACTS))
    links = [link for link in artifacts.links_in(rows) if _is_wanted(request, link)]
    return [link for link in links if passed is None or link.by_update < passed]
