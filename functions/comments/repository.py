"""Finding a comment by its id, and reading a thread back in time."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from operator import itemgetter

from forge.context import Context
from forge.store import keys
from forge.store.cursors import Cursors
from forge.store.keys import Key
from forge.store.pages import Found, Placed, page_among, read_moments
from forge.store.walks import one_partition
from forge.work.content.comments import comments, mentions, opening
from forge.work.content.comments.comments import CommentItem, CommentReferenceItem, RevisionItem
from forge.work.content.comments.views import writers_of
from forge.work.issues.desks import Desk, open_issue
from forge.work.issues.issues import OF_ISSUE
from forge.work.plans.requests import raising
from forge.work.plans.requests.raising import WantedRequest
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.people.members import MemberItem
from forge.work.workspace.people.names import MAX_NAMES, how_many_fit
from functions.comments import revisions, rules
from functions.comments.models import GetHistory

_HISTORY = "HISTORY"


def open_commented(ctx: Context, given: str, tokens: Sequence[str], wanted: WantedRequest | None) -> Desk:
    """The issue that is talked about, with whose names the tokens are, and what a request refers to."""
    workspace_id = ctx.caller.workspace_id
    names = mentions.names_of(workspace_id, tokens)
    needed = raising.needs(workspace_id, wanted) if wanted else []
    return open_issue(ctx, given, lambda _: [*names, *needed], beside=wanted.others if wanted else ())


def open_comment(ctx: Context, comment_id: str, tokens: Sequence[str] = ()) -> tuple[Desk, CommentItem]:
    """A comment and its issue, and whose names the tokens of its new text are; two requests."""
    names = mentions.names_of(ctx.caller.workspace_id, tokens)
    return opening.open_comment(ctx, comment_id, first=names, beside=_writers)


def open_thread(
    ctx: Context, given: str, *, before: datetime | None, limit: int
) -> tuple[Desk, Found[CommentItem]]:
    """An issue with its newest comments and the names of who wrote them."""
    found: Found[CommentItem]

    def writers(issue_id: str) -> Sequence[Key]:
        nonlocal found
        partition = OF_ISSUE(ctx.caller.workspace_id, issue_id)
        listing = one_partition(
            partition,
            prefix=CommentItem.stored.prefix(),
            start=keys.sortable_time(before) if before else "",
            is_descending=True,
        )
        found = read_moments(
            ctx.table, CommentItem, listing, limit=limit, is_shown=lambda one: one.deleted_at is None
        )
        # The issue and the settings are read together with the names.
        size = how_many_fit([writers_of(comment) for comment in found.items], most=MAX_NAMES - 1)
        found = found.first(size)
        return [key for comment in found.items for key in writers_of(comment)]

    desk = open_issue(ctx, given, writers)
    return desk, _with_live_first(desk, found, is_first=before is None)


def _with_live_first(desk: Desk, found: Found[CommentItem], *, is_first: bool) -> Found[CommentItem]:
    """How live runs go stands on the first page, before all else, wherever they began; on no other page.

    One request more where that is not on the page anyway.
    """
    places = comments.keys_of_live_statuses(desk.issue)
    rest = found.become(lambda one: None if one.id in places else one)
    if not is_first or not places:
        return rest
    known = {one.id: one for one in found.items}
    missing = {comment_id: key for comment_id, key in places.items() if comment_id not in known}
    agents = {run.agent_id for run in desk.issue.live_runs} if missing else set()
    writers = [AgentItem.at(desk.issue.workspace_id, agent_id) for agent_id in sorted(agents)]
    desk.fetch([*missing.values(), *writers])
    read = [desk.find(CommentItem, key) for key in missing.values()]
    live = comments.latest_first([*(known.get(comment_id) for comment_id in places), *read])
    # At the place of the first, so that no page ends among them.
    place = rest.placed[0].place if rest.placed else ""
    return replace(rest, placed=[*(Placed(one, place) for one in live), *rest.placed])


def earlier_texts(desk: Desk, comment: CommentItem, also: Iterable[Key] = ()) -> list[RevisionItem]:
    """What the comment said before, the newest first; one request, if it said anything or more is needed."""
    desk.fetch([*revisions.keys_of_newest(comment), *also])
    return revisions.newest_of(desk, comment)


def read_history(ctx: Context, request: GetHistory) -> Found[RevisionItem]:
    """One page of all earlier texts that are kept of a comment, the newest first; of a deleted one, all."""
    desk, comment = opening.open_comment(
        ctx, request.id, may_see_deleted=partial(rules.may_change, ctx.caller)
    )
    places = revisions.keys_of_all(comment)
    desk.fetch(places.values())
    kept = {number: one for number, key in places.items() if (one := desk.find(RevisionItem, key))}
    if comment.deleted_at is not None:
        kept = {comment.revisions: comments.earlier_text(comment), **kept}
    page = page_among(
        kept.items(),
        # Which of its texts it was stays the same, whoever edits it between two pages.
        lambda one: f"{one[0]:010}",
        request,
        cursors=Cursors(comment.workspace_id, _HISTORY, comment.id),
        is_descending=True,
    )
    return page.become(itemgetter(1))


def with_earlier_texts(desk: Desk, found: Found[CommentItem]) -> Found[CommentItem]:
    """As many comments as can have theirs read in one request; usually all."""
    wanted = [revisions.keys_of_newest(comment) for comment in found.items]
    kept = found.first(how_many_fit(wanted))
    desk.fetch(key for keys in wanted[: len(kept.placed)] for key in keys)
    return kept


def _writers(reference: CommentReferenceItem) -> list[Key]:
    """Whose names the answer shows."""
    workspace_id, wanted = reference.workspace_id, []
    if reference.author_id:
        wanted.append(MemberItem.at(workspace_id, reference.author_id))
    if reference.authoring_agent_id:
        wanted.append(AgentItem.at(workspace_id, reference.authoring_agent_id))
    return wanted
