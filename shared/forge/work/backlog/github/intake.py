"""What GitHub tells by webhook: which of it matters here, and what follows.

Messages come late, twice and in any order. Each has its effect once, because its id is stored with that; and
what is older than what was seen before says nothing new.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from forge.auth import rates
from forge.context import Context
from forge.errors import InvalidInput, RateLimited, Unavailable
from forge.github import records
from forge.github.failures import OutOfReach
from forge.store.counters import next_number_until
from forge.store.items import Item
from forge.store.keys import At
from forge.store.places import KeptFor
from forge.store.transactions import Transaction, VersionMoved
from forge.work.backlog.github import (
    foreign_texts,
    imports,
    links,
    mappings,
    resources,
    syncing,
)
from forge.work.backlog.github.imports import WantedIssue
from forge.work.backlog.github.links import LinkKind
from forge.work.backlog.github.resources import ResourceType, Snapshot
from forge.work.backlog.github.syncing import Happening, Linked, SyncStep
from forge.work.backlog.repositories import RepositoryItem
from forge.work.content.comments import comments, posting
from forge.work.content.comments.comments import CommentKind
from forge.work.content.comments.mentions import Mentioned
from forge.work.issues.changes import begin_change
from forge.work.issues.saving import save
from forge.work.workspace.people.names import keys_of

MESSAGES_A_MINUTE = 600
_KEPT = timedelta(days=7)
"""GitHub can be asked to send a message again for three days."""
_MOST_TRIES = 8
_GONE = frozenset({"deleted", "transferred"})
_FAILED = frozenset({"failure", "timed_out", "startup_failure"})
_TALKED_ABOUT = frozenset(LinkKind) - {LinkKind.RELATES_TO}

Json = Mapping[str, Any]


class SaidOnGitHub(NamedTuple):
    """A comment, with all of it that is shown."""

    author: str
    url: str
    body: str


class HookNews(NamedTuple):
    """What a message says of one issue or pull request."""

    type: ResourceType
    number: int
    snapshot: Snapshot | None = None
    happening: Happening | None = None
    """What shows in no snapshot."""
    is_new: bool = False
    said: SaidOnGitHub | None = None


class HookMessageItem(Item):
    """A message that has had its effect."""

    stored = At("WS#{workspace_id}#HOOKED#{repository_id}", "{id}")
    kept = KeptFor(_KEPT, since="created_at")

    workspace_id: str
    repository_id: str
    id: str
    event: str
    created_at: datetime


class Message(NamedTuple):
    id: str
    event: str
    news: Sequence[HookNews]


class TakenBefore(Exception):
    """Another worker has taken this GitHub message already."""


def news_of(event: str, payload: Json) -> list[HookNews]:
    """Nothing, where it is about nothing that matters here."""
    try:
        return _read(event, payload)
    except (AttributeError, KeyError, TypeError, ValueError, OutOfReach):
        raise InvalidInput(
            f"This is no message of GitHub about {event[:40]}.", hint="GitHub shows what it has sent."
        ) from None


def _read(event: str, payload: Json) -> list[HookNews]:
    action = payload.get("action")
    match event:
        case "issues" if action not in _GONE:
            found = resources.snapshot_of_issue(records.issue(payload["issue"]))
            return [HookNews(found.type, found.number, found, is_new=action == "opened")]
        case "pull_request":
            seen = resources.snapshot_of_pull(records.pull(payload["pull_request"]))
            happening = Happening.PR_OPENED if action == "opened" else None
            return [HookNews(seen.type, seen.number, seen, happening)]
        case "pull_request_review" if action == "submitted":
            return _reviewed(payload)
        case "check_suite" | "check_run" if action == "completed":
            return _checked(payload[event])
        case "issue_comment" if action == "created":
            return [_commented(payload)]
    return []


def _reviewed(payload: Json) -> list[HookNews]:
    if str(payload["review"]["state"]).lower() != "changes_requested":
        return []
    number = int(payload["pull_request"]["number"])
    return [HookNews(ResourceType.PULL_REQUEST, number, happening=Happening.PR_CHANGES_REQUESTED)]


def _checked(check: Json) -> list[HookNews]:
    """News of a failed check, for each pull request whose newest commit it is about."""
    if check["conclusion"] not in _FAILED:
        return []
    current = [one for one in check["pull_requests"] if one["head"]["sha"] == check["head_sha"]]
    return [
        HookNews(ResourceType.PULL_REQUEST, int(one["number"]), happening=Happening.CHECKS_FAILED)
        for one in current
    ]


def _commented(payload: Json) -> HookNews:
    issue, comment = payload["issue"], payload["comment"]
    kind = ResourceType.PULL_REQUEST if issue.get("pull_request") else ResourceType.ISSUE
    read = records.comment(comment)
    said = SaidOnGitHub(
        foreign_texts.in_one_line(read.author, 100), str(comment["html_url"])[:2048], read.body
    )
    return HookNews(kind, int(issue["number"]), said=said)


def require_rate(ctx: Context, repository: RepositoryItem) -> None:
    """Count a signed GitHub message against the rate of its repository; unsigned ones never come here."""
    now = ctx.now()
    series = f"hooks#{repository.id}#{rates.window_of(now)}"
    later = now + timedelta(hours=1)
    if next_number_until(ctx.table, repository.workspace_id, series, purge_after=later) > MESSAGES_A_MINUTE:
        raise RateLimited(
            f"More than {MESSAGES_A_MINUTE} messages in a minute.",
            hint="Let GitHub send this one again later.",
            retry_after_seconds=rates.seconds_to_next(now),
        )


def take(ctx: Context, repository: RepositoryItem, message: Message) -> bool:
    """Whether anything was changed. What fails half-way is done again: nothing happens twice by that."""
    place = HookMessageItem.at(repository.workspace_id, repository.id, message.id)
    for _ in range(_MOST_TRIES):
        if ctx.table.find(HookMessageItem, place) is not None:
            return False
        try:
            return _take_once(ctx, repository, message)
        except VersionMoved:
            continue
        except TakenBefore:
            return False
    raise Unavailable("Too many others change the same issues.", hint="Let GitHub send it again.")


def _take_once(ctx: Context, repository: RepositoryItem, message: Message) -> bool:
    for news in message.news:
        _carry_over(ctx, repository, news)
    last = ctx.pending
    if last is None:
        return False
    _remember(last, repository, message)
    ctx.commit()
    return True


def _carry_over(ctx: Context, repository: RepositoryItem, news: HookNews) -> None:
    config = mappings.config_of(repository)
    snapshot = news.snapshot
    if news.is_new and snapshot and config.auto_create_issues:
        imports.import_issue(ctx, repository, news.number, lambda: snapshot, WantedIssue())
        return
    place = resources.resource_id(repository.workspace_id, repository.full_name, news.type, news.number)
    before, rows = links.find_known(ctx.table, repository.workspace_id, place)
    if before is None or (snapshot and snapshot.remote_updated_at < before.remote_updated_at):
        return
    linked = syncing.open_linked(ctx, rows)
    if news.said:
        syncing.write(ctx, _comments(news.said, linked) if config.sync_comments else ())
        return
    syncing.carry_over(ctx, repository, before, linked, snapshot=snapshot, happening=news.happening)


def _comments(said: SaidOnGitHub, linked: Sequence[Linked]) -> list[SyncStep]:
    """A comment for each linked issue; one that is only RELATED to the resource gets none."""
    text = foreign_texts.as_comment(url=said.url, author=said.author, body=said.body)
    return [_comment(one, text) for one in linked if one.kinds & _TALKED_ABOUT]


def _comment(linked: Linked, text: str) -> SyncStep:
    def say(tx: Transaction) -> None:
        desk = linked.desk
        change = begin_change(desk, keys_of(desk.issue))
        comment = comments.written(desk.ctx, desk.issue, text, kind=CommentKind.SYSTEM)
        posting.post(change, comment, text, mentioned=Mentioned([], []))
        comments.add(tx, comment)
        save(tx, change)

    return SyncStep(linked.desk, say)


def _remember(tx: Transaction, repository: RepositoryItem, message: Message) -> None:
    taken = HookMessageItem(
        workspace_id=repository.workspace_id,
        repository_id=repository.id,
        id=message.id,
        event=message.event,
        created_at=tx.origin.now,
    )
    tx.create(taken, refusal=lambda _: TakenBefore())
