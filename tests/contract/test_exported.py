"""No secret of any kind of item is exported, and nothing else is left out that is not meant to be."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from forge.auth.keys import hash_of
from forge.cli.backups.items import Heading, quiet, wanted_of
from forge.cli.backups.places import kinds
from forge.store.codec import decode_item
from forge.store.items import DerivedItem, Item
from forge.store.keys import workspace_prefix
from forge.store.readings import key_of
from forge.store.store import Store
from forge.testing.clock import NOON
from forge.testing.world import World
from forge.work.background import export_files
from forge.work.issues.followers import follows
from forge.work.issues.issues import IssueItem
from forge.work.overviews.exports import orders
from forge.work.overviews.exports.lines import is_left_out, is_secret, line_of
from forge.work.overviews.exports.orders import ExportItem
from forge.work.plans.waits.waits import WaitItem, WaitKind
from forge.work.record.log import secrecy
from forge.work.workspace.workers import Worker, worker_of
from tests.contract.calls import every_changing_sample
from tests.contract.newer_builds import an_item
from tests.contract.rehearsals import Rehearse
from tests.contract.stage import Sample, Stage

KINDS = kinds()

NO_SECRETS = frozenset(
    {
        # Numbers of tokens, which is what agents are paid for.
        *(
            "tokens",
            "tokens_in",
            "tokens_out",
            "tokens_cached",
            "total_tokens",
            "priced_tokens",
            "run_token_budget",
        ),
        # Of what a person was shown, which is in an export itself; of parts of a run's log.
        "shown_hash",
        "hashes",
        # Short names by which people and programs call something.
        *("profile_key", "project_key", "adapter_key", "option_key", "key"),
        # Where a secret is kept, in the operator's own account.
        "token_secret_arn",
    }
)
"""Fields that are called like secrets, each looked at by somebody: whoever adds one has to do the same."""

_OUTSIDE = ("KEY#", "USER#", "EMAIL#", "WSNAME#", "MAPPING#", "OAUTH#")
"""What belongs to no workspace."""
_SECRET_FIELDS = ("secret", "webhook_secret", "token", "key_hash")


def fields_of(kind: type[BaseModel]) -> Iterator[str]:
    """However deep."""
    for name, field in kind.model_fields.items():
        yield name
        for part in _parts(field.annotation):
            yield from fields_of(part)


def _parts(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _parts(inner)


def test_what_is_called_like_a_secret_is_left_out_or_known_to_be_none() -> None:
    for kind in KINDS:
        called_so = {name for name in fields_of(kind) if secrecy.is_named(name) or "hash" in name}
        at_the_top = called_so & kind.model_fields.keys()

        assert {name for name in called_so if name not in NO_SECRETS and not is_secret(name)} == set(), kind
        # Deeper than that nothing is left out, so that nothing secret may be there.
        assert {name for name in called_so - at_the_top if is_secret(name)} == set(), kind


def test_every_field_of_an_item_is_exported_but_its_secrets_and_what_follows_from_the_rest() -> None:
    for kind in KINDS:
        assert_every_field_is_exported(kind)


def assert_every_field_is_exported(kind: type[Item]) -> None:
    item = an_item(kind)
    prefix = workspace_prefix(str(getattr(item, "workspace_id", "")))
    line = line_of(item.attributes(), str(getattr(item, "workspace_id", "")), lambda name: "its text")
    if line is None or not item.key.partition.startswith(prefix):
        # Left out as a whole, or no workspace's.
        return

    stored = decode_item(item.attributes())
    expected = {name for name in kind.model_fields if name in stored and not is_secret(name)}
    assert expected - {"version", "workspace_id"} <= json.loads(line)["item"].keys(), kind


@every_changing_sample
def test_no_secret_of_what_a_call_stores_is_exported(sample: Sample, rehearse: Rehearse) -> None:
    rehearsal = rehearse(sample)
    workspace_id = rehearsal.world.workspace.id
    prefix, texts = workspace_prefix(workspace_id), list[str]()
    secrets = {rehearsal.ready.key}

    for (partition, _), row in rehearsal.end.items():
        secrets |= {row[name]["S"] for name in _SECRET_FIELDS if "S" in row.get(name, {})}
        secrets |= set(row.get("live_keys", {}).get("M", ()))
        if partition.startswith(prefix):
            texts.append(line_of(row, workspace_id, lambda name: "its text") or "")

    assert len(secrets) > 1
    assert [one for one in secrets if any(one in text for text in texts)] == []


def test_an_export_of_everything_that_holds_secrets_holds_none_of_them(store: Store) -> None:
    world = World(store=store)
    stage, planted = Stage(world), ["agents-hook", "runtimes-password", "webhooks-secret", "waits-token"]
    stage.an_agent(webhookUrl="https://a.example.com", webhookSecret=f"{planted[0]}-never-shown")
    config = {"password": f"{planted[1]}-never-shown", "cores": 8}
    stage.call("runtimes.configure", {"runtimeId": stage.a_runtime(), "config": config})
    stage.call("webhooks.create", {"url": "https://b.example.com", "secret": f"{planted[2]}-never-shown"})
    hook = stage.call("repositories.register", {"fullName": "demo/app", "provider": "github"})
    made = stage.call("keys.create", {"name": "laptop", "scopes": ["READ_ISSUES"]})
    token = stage.call("tokens.create", {"keyId": made["id"]})["token"]
    _put(world, store, _a_wait(world, token=f"{planted[3]}-never-shown"))

    text = _exported(world, store)

    raw_keys = [made["rawKey"], world.owner_key()]
    secrets = [hook["webhookSecret"], token, *raw_keys, *map(hash_of, raw_keys)]
    assert [one for one in (*planted, *secrets) if one in text] == []
    # What they belong to is there.
    for shown in ("https://a.example.com", "https://b.example.com", "demo/app", "laptop", "pln_1", "cores"):
        assert shown in text


def test_every_item_of_a_workspace_is_either_exported_or_on_the_list(store: Store) -> None:
    world = World(store=store)
    stage = Stage(world)
    for make in (stage.a_member, stage.a_label, stage.a_project, stage.a_dispatch_rule, stage.a_crew):
        make()
    stage.call("issues.create", {"title": "Login hangs", "description": "On Safari.", "queue": True})

    lines = [json.loads(line) for line in _exported(world, store).splitlines()]

    prefix = workspace_prefix(world.workspace.id)
    rows = store.table.client.ask("Scan", {"TableName": store.table.name})["Items"]
    stored = {(row["pk"]["S"].removeprefix(prefix), row["sk"]["S"]) for row in rows}
    wanted = {place for place in stored if not is_left_out(*place) and not place[0].startswith(_OUTSIDE)}
    exported = {tuple(line["key"]) for line in lines[1:-1]}
    # What the worker wrote about itself came later.
    assert {place for place in wanted - exported if place[0] != "LOG"} == set()
    assert exported <= wanted


def _a_wait(world: World, *, token: str) -> WaitItem:
    return WaitItem(
        workspace_id=world.workspace.id,
        id="wait_1",
        kind=next(iter(WaitKind)),
        subject_id="ar_1",
        plan_id="pln_1",
        reached_at=NOON,
        created_at=NOON,
        token=token,
    )


def _put(world: World, store: Store, item: Item) -> None:
    tx = Worker(store, world.clock, world.ids).begin(world.workspace.id)
    tx.create(item)
    store.commit(tx)


def _exported(world: World, store: Store) -> str:
    order = ExportItem(workspace_id=world.workspace.id, id="exp_1", created_at=world.clock())
    _put(world, store, order)
    message = json.dumps({"workspaceId": order.workspace_id, "exportId": order.id})
    assert export_files.consume(worker_of(world.services, "exports"), message)
    done = orders.find(store.table, order.workspace_id, order.id)
    assert done is not None
    return "".join(map(store.blobs.get_text, done.blobs))


@every_changing_sample
def test_what_a_call_stores_comes_back_from_its_lines(sample: Sample, rehearse: Rehearse) -> None:
    """Each row with its places in indexes and its end, and whatever follows from issues."""
    rehearsal = rehearse(sample)
    workspace_id = rehearsal.world.workspace.id
    prefix, about = workspace_prefix(workspace_id), Heading(workspace_id, NOON, "this one")
    stored = {place: row for place, row in rehearsal.end.items() if place[0].startswith(prefix)}
    lines = [line_of(row, workspace_id, lambda name: "its text") for row in stored.values()]

    wanted: dict[tuple[str, str], Any] = {}
    for line in filter(None, lines):
        content = json.loads(line)
        partition, sort = content["key"]
        rows = [one.row for one in wanted_of(about, partition, sort, content["item"])]
        wanted |= {key_of(row): row for row in rows}
    heads = [row for place, row in stored.items() if place[1] == "X#META" and "#ISSUE#" in place[0]]
    issues = map(IssueItem.from_attributes, heads)
    follow = [one for issue in issues for one in follows(issue) if isinstance(one, DerivedItem)]
    wanted |= {one.key: one.attributes() for one in follow}

    for place, row in stored.items():
        is_left = is_left_out(place[0].removeprefix(prefix), place[1])
        if place in wanted or not is_left or _follows_from_heads(place[0].removeprefix(prefix), place[1]):
            # What could not be settled is due when the item says so, and not when that was put off to.
            without = {"duePk", "dueSk"} if sample.tool.name == "timers.retry" else set()
            found = _comparable(wanted.pop(place), without)
            assert found == _comparable(quiet(row, about), without), place
    # What else there is belongs to people, names and repositories, and to no workspace.
    assert {place[0].split("#")[0] for place in wanted} <= {"USER", "EMAIL", "WSNAME", "MAPPING"}


def _follows_from_heads(partition: str, sort: str) -> bool:
    return partition.startswith(("QUEUE", "BL#", "HELD#")) or sort.startswith("CLAIM#")


def _comparable(row: Any, without: set[str]) -> Any:
    """Without what only the store minds and what is secret; a text wherever it is kept."""
    values = decode_item(row, leaving_out={"version", *without})
    return {
        name: "a text" if isinstance(value, dict) and value.keys() == {"text", "blob"} else value
        for name, value in values.items()
        if not is_secret(name)
    }
