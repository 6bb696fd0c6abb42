"""Lines of an export as the rows that they were written from, and what comes back otherwise than it was."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import token_hex
from typing import Any

from pydantic import ValidationError

from forge.cli.backups.places import place_of
from forge.cli.backups.wanted import Stopped, Wanted
from forge.store.codec import encode_item
from forge.store.items import Item
from forge.store.keys import Key, workspace_prefix
from forge.store.physical import PARTITION, SORT
from forge.store.readings import Attributes, key_of
from forge.work.background.deliveries.deliveries import OPEN, DeliveryItem, DeliveryStatus
from forge.work.backlog import repositories
from forge.work.backlog.repositories import RepositoryItem
from forge.work.overviews.exports.lines import BOOKKEEPING, is_left_out, is_secret
from forge.work.pipelines.pipelines import PipelineArtifactItem
from forge.work.record.log.rows import LogItem
from forge.work.record.texts import MAX_INLINE, KeptText
from forge.work.workspace.founding import WorkspaceNameItem
from forge.work.workspace.people.api_keys import ApiKeyItem
from forge.work.workspace.people.members import EmailItem, MemberItem, UserItem
from forge.work.workspace.workspaces import WorkspaceItem

_LOUD: Mapping[str, type[Item]] = {"LOG": LogItem, "DELIVERIES": DeliveryItem, "KEYS": ApiKeyItem}
"""What is found by others as soon as it is there, by the partition that has nothing else."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What the first line says, and the names that the workspace shall have instead of its own."""

    workspace_id: str
    ordered_at: datetime
    made_by: str
    slug: str | None = None
    key_prefix: str | None = None


def wanted_of(about: Heading, partition: str, sort: str, values: Mapping[str, Any]) -> Iterator[Wanted]:
    """The row of a line, and those outside the workspace that go with it. Stopped where it is none."""
    key = Key(workspace_prefix(about.workspace_id) + partition, sort)
    _require_plain(about.workspace_id, values)
    row = {PARTITION: key.partition, SORT: key.sort, "workspace_id": about.workspace_id, **values}
    place = None if is_left_out(partition, sort) else place_of(encode_item(row))
    if place is None:
        raise Stopped(f"no Forge of this version has something at {partition} / {sort}")
    if place.kind is None:
        if not all(type(value) is int for value in values.values()):
            raise Stopped(f"{place.name} holds whole numbers alone")
        yield Wanted(place.name, encode_item({PARTITION: key.partition, SORT: key.sort, **values}))
        return
    texts: dict[str, str] = {}
    item = _read(place.kind, key, row, texts)
    if item.key != key:
        raise Stopped(f"what it holds belongs at {item.key.partition} / {item.key.sort}")
    if isinstance(item, WorkspaceItem):
        names = {"slug": about.slug or item.slug, "key_prefix": about.key_prefix or item.key_prefix}
        item = item.changed(**names)
    yield Wanted(place.name, quiet(item.attributes(), about), texts=texts)
    for one in companions(item):
        yield Wanted(type(one).__name__, one.attributes())


def companions(item: Item) -> list[Item]:
    """What is outside the workspace because of an item in it."""
    match item:
        case MemberItem():
            user = UserItem(id=item.user_id, email=item.email, created_at=item.created_at)
            return [user, EmailItem(email=item.email, user_id=item.user_id)]
        case WorkspaceItem():
            names = (("SLUG", item.slug), ("KEY", item.key_prefix))
            places = (WorkspaceNameItem.at(field, name) for field, name in names)
            return [
                WorkspaceNameItem(partition=place.partition, sort=place.sort, workspace_id=item.id)
                for place in places
            ]
        case RepositoryItem():
            return [*repositories.follows(item)]
    return []


def quiet(row: Attributes, about: Heading | None = None) -> Attributes:
    """As it is brought back: nobody is told again of what happened then, and no key without its hash is live.

    A copy of the table has the hashes: without `about`, keys stay as they are.
    """
    kind = _LOUD.get(key_of(row).partition.split("#", 2)[-1])
    match kind.from_attributes(row) if kind else None:
        case LogItem() as told if told.outbox_due:
            return told.changed(outbox_due=None).attributes()
        case DeliveryItem() as open_one if open_one.status in OPEN:
            given_up = DeliveryStatus.DEAD_LETTER
            return open_one.changed(status=given_up, leased_until=None, look_at=None).attributes()
        case ApiKeyItem() as key if about and key.revoked_at is None:
            return key.changed(revoked_at=about.ordered_at).attributes()
    return row


def _require_plain(workspace_id: str, values: Mapping[str, Any]) -> None:
    """A file can be written by anybody: nothing in it leads to what is another workspace's."""
    if strange := next((name for name in values if name in BOOKKEEPING or is_secret(name)), None):
        raise Stopped(f"no export holds {strange}")
    own = (f"texts/{workspace_id}/", f"pipelines/{workspace_id}/", f"{workspace_id}/attachments/")
    kept = (value.get("blob") for value in values.values() if isinstance(value, dict))
    for blob in (values.get("blob"), *kept):
        if isinstance(blob, str) and not blob.startswith(own):
            raise Stopped(f"{blob} is not the workspace's own")


def _read(kind: type[Item], key: Key, row: Mapping[str, Any], texts: dict[str, str]) -> Item:
    values = dict(row)
    if "workspace_id" not in kind.model_fields:
        del values["workspace_id"]
    for name, field in kind.model_fields.items():
        if name not in values and field.is_required() and is_secret(name):
            # Nobody knows it, so it opens and signs nothing until it is made anew.
            values[name] = f"lost-{token_hex(24)}"
        elif isinstance(values.get(name), str):
            values[name] = _kept(str(field.annotation), key, name, values[name], texts)
    if kind is PipelineArtifactItem:
        _take_out(values, texts)
    try:
        return kind.from_attributes(encode_item(values))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise Stopped(f"{kind.__name__}: {where}: {problem['msg']}") from None


def _kept(annotation: str, key: Key, name: str, text: str, texts: dict[str, str]) -> object:
    """What an export shows as a text: itself, or where it is kept; of something else that looked like one."""
    if KeptText.__name__ not in annotation:
        return {"text": text, "blob": None} if "dict[" in annotation else text
    content = text.encode()
    if len(content) <= MAX_INLINE:
        return {"text": text, "blob": None}
    digest = sha256("|".join((*key, name)).encode() + content).hexdigest()[:32]
    blob = f"texts/{key.partition.split('#')[1]}/import/{digest}"
    texts[blob] = text
    return {"text": "", "blob": blob}


def _take_out(values: dict[str, Any], texts: dict[str, str]) -> None:
    """The artifact of a pipeline has its text in the bucket, always."""
    text = values.pop("text", None)
    if isinstance(text, str):
        texts[str(values.get("blob"))] = text
