"""What follows from a text that names more than its transaction can call: the rest are called one by one.

Each is called in a transaction that also moves the place among the words, so nobody is called twice, whoever
dies in between and however many go on with it at once.
"""

from functools import partial

from forge.context import Context
from forge.errors import NotFound
from forge.store.transactions import decided_again
from forge.work.content.comments import comments, mentions
from forge.work.content.comments.announcements import COMMENT_EDITED
from forge.work.content.comments.comments import CommentItem
from forge.work.content.comments.mentions import NamedInText
from forge.work.issues.changes import begin_change
from forge.work.issues.desks import open_issue
from forge.work.issues.saving import save
from forge.work.record import texts
from forge.work.record.continuations.continuations import ContinuationItem

WORDS_AT_ONCE = 50
"""Words that are looked up in one request."""
_TRIES = 3


def call_next(ctx: Context, item: ContinuationItem) -> tuple[ContinuationItem, bool]:
    """Call whoever the next words name; the continuation as it became, and whether that was all."""
    place = int(item.position or 0)
    words = item.words[place : place + WORDS_AT_ONCE]
    comment = comments.find(ctx.table, item.workspace_id, item.subject_id)
    if comment is None or comment.deleted_at is not None:
        return item, True
    text = texts.read(ctx.services.store.blobs, comment.body)
    mentioned = frozenset(mentions.tokens_in(text))
    names = ctx.table.read(mentions.names_of(item.workspace_id, words))
    for number, word in enumerate(words, place + 1):
        named = mentions.named_by(names, item.workspace_id, [word])
        # Somebody may have taken the name out of the text again.
        if word not in mentioned or not (named.agent_ids or named.user_ids):
            continue
        try:
            call = partial(_call, ctx, item, comment, text=text, named=named, number=number)
            item = decided_again(call, tries=_TRIES)
        except NotFound:
            return item, True
    end = place + len(words)
    if end >= len(item.words):
        return item, True
    if item.position == str(end):
        return item, False
    return _moved(ctx, item, end), False


def _call(
    ctx: Context, item: ContinuationItem, comment: CommentItem, *, text: str, named: NamedInText, number: int
) -> ContinuationItem:
    """Whoever is named watches from now on and, if it is an agent, is woken."""
    desk = open_issue(ctx, comment.issue_id)
    change = begin_change(desk, mentions.needs(desk.issue, named))
    mentioned = mentions.resolve(desk, named)
    mentions.watch(change, mentioned)
    told = mentions.told_of_another_text(comment, text, mentioned, is_edited=False)
    calls = mentions.calls(desk, mentioned, text)
    change.announce(COMMENT_EDITED, told, action="mention", calls=calls, is_quiet=True)
    tx = ctx.plan()
    save(tx, change)
    after = item.further(str(number), settled=1, left=0)
    tx.replace(after)
    ctx.commit()
    return after.changed(version=item.version + 1)


def _moved(ctx: Context, item: ContinuationItem, place: int) -> ContinuationItem:
    after = item.further(str(place), settled=0, left=0)
    ctx.plan().replace(after)
    ctx.commit()
    return after.changed(version=item.version + 1)
