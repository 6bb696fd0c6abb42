"""What a spawn is told of the past, and how the past is learned: with the change that it is learned from."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from forge.store.items import Item
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.store.table import Table
from forge.store.transactions import Transaction, overtaken
from forge.work.pipelines.learning import friction, packs, patterns, similar
from forge.work.pipelines.learning.friction import FrictionItem, FrictionPoint
from forge.work.pipelines.learning.needs import NEEDS
from forge.work.pipelines.learning.packs import OPEN_PACK, Ended, EndedItem, PackItem
from forge.work.pipelines.learning.patterns import LearnedFinding, Pattern, PatternsItem
from forge.work.pipelines.prompts.profiles import Profile
from forge.work.pipelines.prompts.prompts import Knowledge


class Leavings(NamedTuple):
    """The texts that a pipeline leaves; what it never came to is None."""

    request: str
    """Of request.md, with or without its front matter."""
    improvement: str | None = None
    summary: str | None = None


def recall(
    table: Table,
    workspace_id: str,
    *,
    agent: str,
    about: str,
    profile: Profile | None = None,
    repository: str | None = None,
) -> Knowledge:
    """What this agent is to know, of one repository alone where it is given; for most agents nothing is read.

    One request. One more when a pack was closed since this process looked, and a few when it never did.
    """
    need = NEEDS.get(agent)
    if need is None:
        return Knowledge(profile=profile)
    wanted = [PatternsItem.at(workspace_id)]
    wanted += [OPEN_PACK(workspace_id)] if need.similar else []
    wanted += [FrictionItem.at(workspace_id)] if need.friction else []
    read = table.read(wanted)
    known = read.find(PatternsItem, PatternsItem.at(workspace_id))
    rubbed = read.find(FrictionItem, FrictionItem.at(workspace_id)) if need.friction else None
    pack = read.find(PackItem, OPEN_PACK(workspace_id)) if need.similar else None
    return Knowledge(
        profile=profile,
        similar=similar.find(table, workspace_id, pack, about, repository=repository),
        patterns=_seen_in(repository, known.patterns if known else ()),
        friction=_seen_in(repository, rubbed.points if rubbed else ()),
    )


SeenT = TypeVar("SeenT", Pattern, FrictionPoint)


def _seen_in(repository: str | None, seen: Sequence[SeenT]) -> Sequence[SeenT]:
    return seen if repository is None else [one for one in seen if repository in one.repositories]


def what_a_review_needs(workspace_id: str) -> list[Key]:
    return [PatternsItem.at(workspace_id)]


def learn_review(
    read: Readings,
    tx: Transaction,
    *,
    agent: str,
    findings: Iterable[LearnedFinding],
    repository: str | None = None,
) -> None:
    """Add what a review found to the patterns of the caller's workspace, in the transaction that files it.

    `read` must hold `what_a_review_needs`. If others learned meanwhile, the whole call runs again.
    """
    workspace_id, now = tx.origin.caller.workspace_id, tx.origin.now
    known = read.find(PatternsItem, PatternsItem.at(workspace_id))
    before = known or PatternsItem(workspace_id=workspace_id, updated_at=now)
    after = before.changed(
        patterns=patterns.learned(before.patterns, findings, agent=agent, now=now, repository=repository),
        reviews=before.reviews + 1,
        updated_at=now,
    )
    _save(tx, known, after)


def what_an_end_needs(workspace_id: str, pipeline_id: str) -> list[Key]:
    """For whoever reads them together with other things."""
    return [EndedItem.at(workspace_id, pipeline_id), OPEN_PACK(workspace_id), FrictionItem.at(workspace_id)]


def learn_end(read: Readings, tx: Transaction, ended: Ended, leavings: Leavings) -> bool:
    """Keep what a pipeline was about and what rubbed, in the transaction that ends it; once, however often.

    At most four writes; `read` must hold `what_an_end_needs`. Whether it was learned from now.
    """
    workspace_id, now = tx.origin.caller.workspace_id, tx.origin.now
    already, open_pack, rubbed = what_an_end_needs(workspace_id, ended.pipeline_id)
    if read.has(already):
        return False
    mark = EndedItem(
        workspace_id=workspace_id, pipeline_id=ended.pipeline_id, outcome=ended.outcome, learned_at=now
    )
    _save(tx, None, mark)
    one_liner, tags = packs.told_by(leavings.request)
    _add_to_past(tx, read.find(PackItem, open_pack), ended._replace(one_liner=one_liner, tags=tags))
    _learn_friction(tx, read.find(FrictionItem, rubbed), leavings, ended.repository)
    return True


def _add_to_past(tx: Transaction, pack: PackItem | None, ended: Ended) -> None:
    """A full pack is set aside under its number, and another one is begun in its place."""
    room = pack or PackItem(workspace_id=tx.origin.caller.workspace_id)
    if room.is_full:
        tx.create(
            PackItem(
                workspace_id=room.workspace_id,
                number=room.number,
                is_open=False,
                size=room.size,
                packed=room.packed,
            ),
            refusal=overtaken,
        )
        room = room.changed(number=room.number + 1, size=0, packed="")
    _save(tx, pack, packs.added_to(room, ended))


def _learn_friction(
    tx: Transaction, known: FrictionItem | None, leavings: Leavings, repository: str | None
) -> None:
    report = friction.report_of(leavings.improvement, leavings.summary)
    if not report.strip():
        return
    now = tx.origin.now
    before = known or FrictionItem(workspace_id=tx.origin.caller.workspace_id, updated_at=now)
    after = before.changed(
        points=friction.learned(before.points, friction.reported(report), now=now, repository=repository),
        reports=before.reports + 1,
        updated_at=now,
    )
    _save(tx, known, after)


def _save(tx: Transaction, known: Item | None, after: Item) -> None:
    """Whoever was first makes everybody else learn again, on top of it."""
    if known is None:
        tx.create(after, refusal=overtaken)
    else:
        tx.replace(after)
