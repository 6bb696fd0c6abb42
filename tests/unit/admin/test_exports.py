"""Everything of a workspace is exported: by a worker, once, however often it is asked and whatever dies."""

from datetime import timedelta

import pytest

from forge.errors import Unavailable
from forge.store.answers import Refused
from forge.store.queues import Queues
from forge.store.store import Store
from forge.testing.faults import ProcessDied
from forge.testing.world import World
from forge.work.background import export_files
from forge.work.overviews.exports.orders import KEPT, MOST_TRIES, ExportItem
from forge.work.record.log.events import UNSENT_AFTER
from forge.work.record.texts import MAX_INLINE
from forge.work.workspace.jobs import Unreadable
from forge.work.workspace.workers import worker_of
from tests.unit.admin.exporting import Exporter, read
from tests.unit.gateway.test_gates import dies_at
from tests.workshop.interference import COMMIT, Interference, once_before, only
from tests.workshop.office import Office

A_LONG_STORY = "\N{DRAGON}" * (MAX_INLINE // 4 + 1)


def test_what_people_and_agents_wrote_is_in_an_export_with_its_links(exporter: Exporter) -> None:
    first = exporter.call("issues.create", {"title": "Login hangs", "description": A_LONG_STORY})
    second = exporter.call("issues.create", {"title": "Ship"})
    exporter.call("comments.create", {"issueId": first["id"], "body": "On Safari \N{SAFETY VEST}."})
    blocks = {"fromIssueId": first["id"], "toIssueId": second["id"], "kind": "BLOCKS"}
    exporter.call("relations.add", blocks)

    lines = exporter.exported()

    assert lines.about["workspace"]["id"] == exporter.workspace.id
    assert lines.end["items"] == len(lines.items)
    parts = lines.of("ISSUE")
    assert {one["title"] for one in parts if "title" in one} == {"Login hangs", "Ship"}
    assert A_LONG_STORY in [one.get("description") for one in parts]
    assert "On Safari \N{SAFETY VEST}." in [one.get("body") for one in parts]
    assert any(one.get("kind") == "BLOCKS" for one in parts)


def test_the_people_of_a_workspace_are_exported_as_its_members(exporter: Exporter) -> None:
    exporter.call(
        "members.add", {"email": "ada@example.com", "name": "Ada", "handle": "ada", "timezone": "Asia/Tokyo"}
    )

    members = exporter.exported().of("MEMBERS")

    (ada,) = [one for one in members if one["email"] == "ada@example.com"]
    assert (ada["name"], ada["handle"], ada["timezone"]) == ("Ada", "ada", "Asia/Tokyo")
    assert not any("live_keys" in one for one in members)


def test_nothing_of_another_workspace_is_exported(exporter: Exporter) -> None:
    other = Office(exporter.world, exporter.world.add_workspace("other"))
    other.call("issues.create", {"title": "Somebody else's", "description": A_LONG_STORY})

    export_id = exporter.order()
    exporter.work()

    assert other.workspace.id not in exporter.written(export_id)
    assert "Somebody else's" not in exporter.written(export_id)
    assert other.refused("exports.get", {"exportId": export_id})[0] == 404


def test_an_item_that_names_a_text_of_another_workspace_does_not_get_it(exporter: Exporter) -> None:
    foreign = "texts/ws_other/iss_1/txt_1"
    exporter.world.services.store.blobs.put_text(foreign, "Not for your eyes.")
    read_text = export_files._texts_of(exporter.worker, exporter.workspace.id)

    assert read_text(foreign) is None


def test_an_export_is_shown_from_its_order_to_its_url(exporter: Exporter) -> None:
    export_id = exporter.order()
    ordered = exporter.call("exports.get", {"exportId": export_id})

    assert exporter.work() == [True]

    done = exporter.call("exports.get", {"exportId": export_id})
    text = exporter.written(export_id)
    assert (ordered["status"], set(ordered)) == ("PENDING", {"exportId", "status", "createdAt"})
    assert (done["status"], done["bytes"], done["expiresInSeconds"]) == ("DONE", len(text.encode()), 900)
    assert done["items"] == len(text.splitlines()) - 2
    assert f"{export_id}.jsonl" in done["url"]
    assert [row.action for row in exporter.log() if row.subject_id == export_id] == [
        "order",
        "begin",
        "finish",
    ]


def test_there_is_one_export_at_a_time(exporter: Exporter) -> None:
    first = exporter.order()

    assert exporter.order() == first
    exporter.work()
    second = exporter.order()
    assert second != first
    assert exporter.call("exports.get", {"exportId": first})["status"] == "DONE"


def test_of_two_who_order_at_once_both_get_the_same(exporter: Exporter, interference: Interference) -> None:
    meanwhile: list[str] = []
    interference.handle = once_before(COMMIT, lambda: meanwhile.append(exporter.order()))

    assert [exporter.order()] == meanwhile

    exporter.work()
    # Also when neither is the first ever.
    meanwhile.clear()
    interference.handle = once_before(COMMIT, lambda: meanwhile.append(exporter.order()))
    assert [exporter.order()] == meanwhile


def test_a_message_that_comes_twice_does_nothing_the_second_time(exporter: Exporter) -> None:
    export_id = exporter.order()

    assert exporter.consume(export_id)
    done = exporter.find(export_id)
    assert not exporter.consume(export_id)
    assert exporter.find(export_id) == done


def test_of_two_workers_one_exports(exporter: Exporter, interference: Interference) -> None:
    export_id = exporter.order()
    interference.handle = once_before(COMMIT, lambda: exporter.consume(export_id))

    assert not exporter.consume(export_id)
    assert len(exporter.find(export_id).parts) == 1


def test_a_message_about_nothing_is_passed_over_and_one_that_says_nothing_is_refused(
    exporter: Exporter,
) -> None:
    assert not exporter.consume("exp_gone")
    for text in ("", "[]", "{}", '{"workspaceId": "ws_1"}'):
        with pytest.raises(Unreadable):
            export_files.consume(worker_of(exporter.world.services, "exports"), text)


@pytest.mark.parametrize("commit", [1, 2])
def test_what_a_worker_left_that_died_is_done_by_the_next(
    commit: int, exporter: Exporter, interference: Interference
) -> None:
    """Before it had taken the order, and after it had written the file."""
    export_id = exporter.order()
    interference.handle = only(COMMIT, dies_at(commit))
    with pytest.raises(ProcessDied):
        exporter.consume(export_id)
    interference.handle = Interference().handle
    exporter.messages()

    exporter.world.clock.advance(seconds=ExportItem.lease.total_seconds() + 1)
    exporter.sweep()

    assert exporter.work() == [True]
    assert read(exporter.written(export_id)).about["exportId"] == export_id


def test_while_a_worker_may_be_alive_nobody_else_begins(
    exporter: Exporter, interference: Interference
) -> None:
    export_id = exporter.order()
    interference.handle = only(COMMIT, dies_at(2))
    with pytest.raises(ProcessDied):
        exporter.consume(export_id)
    interference.handle = Interference().handle

    assert exporter.order() == export_id
    assert not exporter.consume(export_id)
    assert exporter.call("exports.get", {"exportId": export_id})["status"] == "RUNNING"


def test_an_export_that_never_ends_is_given_up(exporter: Exporter, interference: Interference) -> None:
    export_id = exporter.order()
    for _ in range(MOST_TRIES):
        interference.handle = only(COMMIT, dies_at(2))
        with pytest.raises(ProcessDied):
            exporter.consume(export_id)
        interference.handle = Interference().handle
        exporter.world.clock.advance(seconds=ExportItem.lease.total_seconds() + 1)

    assert exporter.consume(export_id)
    shown = exporter.call("exports.get", {"exportId": export_id})
    assert (shown["status"], "url" in shown, bool(shown["error"])) == ("FAILED", False, True)
    assert exporter.order() != export_id


def test_what_could_not_be_reached_is_tried_again_soon(store: Store) -> None:
    world = World(store=store)
    exporter = Exporter(world)
    export_id = exporter.order()
    exporter.messages()
    store.blobs.client.delete_bucket(Bucket=store.blobs.bucket)

    with pytest.raises((Unavailable, Refused)):
        exporter.consume(export_id)
    store.blobs.client.create_bucket(Bucket=store.blobs.bucket)
    world.clock.advance(seconds=UNSENT_AFTER.total_seconds() + 1)
    exporter.sweep()

    assert exporter.work() == [True]


def test_an_order_whose_message_was_lost_is_sent_by_the_sweep(exporter: Exporter) -> None:
    export_id = exporter.order()
    assert len(exporter.messages()) == 1

    exporter.sweep()
    assert exporter.messages() == []
    exporter.world.clock.advance(seconds=UNSENT_AFTER.total_seconds() + 1)
    exporter.sweep()

    assert exporter.work() == [True]
    assert exporter.find(export_id).look_at is None


def test_an_order_that_can_not_be_sent_is_ordered_all_the_same(store: Store) -> None:
    nowhere = Queues({"exports": "http://127.0.0.1:1/nowhere"}, lambda: store.queues.client)
    world = World(store=Store(store.table, store.blobs, nowhere))
    exporter = Exporter(world)

    export_id = exporter.order()

    assert exporter.find(export_id).look_at == world.clock() + UNSENT_AFTER


def test_an_export_is_gone_after_a_week(exporter: Exporter) -> None:
    export_id = exporter.order()
    exporter.work()
    exporter.world.clock.advance(seconds=(KEPT - timedelta(seconds=1)).total_seconds())
    assert exporter.call("exports.get", {"exportId": export_id})["status"] == "DONE"

    exporter.world.clock.advance(seconds=1)

    assert exporter.refused("exports.get", {"exportId": export_id})[:2] == (404, "not_found")
