"""Reading artifacts: one with its versions, one that is to be changed, and pages of them."""

from forge.context import Caller, Context
from forge.errors import Forbidden
from forge.store.cursors import Cursors
from forge.store.keys import Key
from forge.store.pages import Found, Portion, page_among
from forge.store.ranges import SortRange
from forge.store.walks import one_partition
from forge.work.content.artifacts import artifacts
from forge.work.content.artifacts.artifacts import (
    ARTIFACTS_LISTED,
    KIND,
    OF_ARTIFACT,
    ArtifactItem,
    ArtifactLinkItem,
    ArtifactStatus,
    ArtifactVersionItem,
)
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.issues import OF_ISSUE
from forge.work.issues.pages.sights import Sight, is_narrowed
from forge.work.workspace.people.names import MAX_NAMES
from forge.work.workspace.taken_names import NameItem
from functions.artifacts.models import ListArtifacts

SHOWN_VERSIONS = 10


def read_whole(
    ctx: Context, *, artifact_id: str | None, slug: str | None
) -> tuple[ArtifactItem, list[ArtifactVersionItem]]:
    """An artifact and its last versions, the newest first, which is the one that it has now."""
    given = artifact_id or str(slug)
    owner_id = artifact_id or _owner_of(ctx, given)
    partition = OF_ARTIFACT(ctx.caller.workspace_id, owner_id)
    rows = ctx.table.query_all(partition, most=1 + SHOWN_VERSIONS, is_descending=True).first_ones()
    found = rows.of(ArtifactItem)
    if not found:
        raise artifacts.no_such_artifact(given)
    artifact = found[0]
    _require_sight(ctx, artifact)
    versions = rows.of(ArtifactVersionItem)
    # A version that came into being while this was read belongs to a later artifact.
    return artifact, [version for version in versions if version.number <= artifact.version_number]


def get_version(
    ctx: Context, artifact: ArtifactItem, number: int, *, last: list[ArtifactVersionItem]
) -> ArtifactVersionItem:
    """A version by its number: one of the last, which were read, or one request more."""
    known = next((one for one in last if one.number == number), None)
    if known:
        return known
    key = ArtifactVersionItem.at(artifact.workspace_id, artifact.id, number)
    return ctx.table.get(ArtifactVersionItem, key, missing=artifacts.no_such_artifact(artifact.id))


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
    """A page of artifacts that the caller may see, the one that changed last first."""
    return _of_issue(ctx, request, request.issue_id) if request.issue_id else _of_all(ctx, request)


def _owner_of(ctx: Context, slug: str) -> str:
    taken = ctx.table.find(NameItem, NameItem.of_name(ctx.caller.workspace_id, KIND, slug))
    if taken is None:
        raise artifacts.no_such_artifact(slug)
    return taken.owner_id


def _current(artifact: ArtifactItem) -> Key:
    return ArtifactVersionItem.at(artifact.workspace_id, artifact.id, artifact.version_number)


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
    narrowed = is_narrowed(ctx.caller)
    listing = one_partition(ARTIFACTS_LISTED(ctx.caller.workspace_id), "updated", is_descending=True)
    sight: Sight[ArtifactItem] = Sight(ctx, lambda artifact: artifact.issue_id if narrowed else None)
    return sight.page(ArtifactItem, listing, request, lambda one: _is_wanted(request, one))


def _of_issue(ctx: Context, request: ListArtifacts, given: str) -> Found[ArtifactItem]:
    """By the links of the issue, which tell which ones and in which order; two requests."""
    links: Found[ArtifactLinkItem]

    def parts(issue_id: str) -> list[Key]:
        nonlocal links
        links = _links(ctx, request, OF_ISSUE(ctx.caller.workspace_id, issue_id))
        return [ArtifactItem.at(link.workspace_id, link.id) for link in links.items]

    desk = open_issue(ctx, given, parts)

    def behind(link: ArtifactLinkItem) -> ArtifactItem | None:
        """One that was changed since its link was read may not belong here any more."""
        artifact = desk.find(ArtifactItem, ArtifactItem.at(link.workspace_id, link.id))
        return artifact if artifact and _is_wanted(request, artifact) else None

    return links.become(behind, full=request.limit)


def _links(ctx: Context, request: ListArtifacts, partition: str) -> Found[ArtifactLinkItem]:
    """Those that are wanted and come after the cursor, as many as can be read together with the issue."""
    # Some more than there may be: two who add the first ones at once both succeed.
    most = 2 * artifacts.MAX_OF_ISSUE
    rows = ctx.table.query_all(partition, most=most, sort=SortRange(prefix=ArtifactLinkItem.stored.prefix()))
    return page_among(
        [link for link in artifacts.links_in(rows) if _is_wanted(request, link)],
        lambda link: link.by_update,
        Portion(min(request.limit, MAX_NAMES - 1), request.cursor),
        cursors=Cursors(partition, KIND),
        is_descending=True,
    )
