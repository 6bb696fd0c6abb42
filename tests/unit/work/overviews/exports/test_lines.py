"""A line of an export: an item as plain JSON, with its texts and without its secrets."""

import json
from typing import Any

import pytest

from forge import __version__
from forge.store.codec import encode_item
from forge.testing.builders import a_workspace
from forge.testing.clock import NOON
from forge.work.overviews.exports.lines import FORMAT, first_line, last_line, line_of
from forge.work.overviews.exports.orders import ExportItem

TEXTS = {"texts/ws_1/iss_1/txt_1": "A long story.", "pipelines/ws_1/p/design.md/1-a": "# Design"}


def exported(partition: str, sort: str, **values: object) -> Any:
    row = encode_item({"pk": f"WS#ws_1#{partition}", "sk": sort, **values})
    line = line_of(row, "ws_1", TEXTS.get)
    return None if line is None else json.loads(line)


def test_an_item_stands_under_its_key_without_what_only_the_store_minds() -> None:
    line = exported(
        "PROJECTS",
        "PROJECT#prj_1",
        workspace_id="ws_1",
        version=7,
        ttl=1,
        updatedPk="WS#ws_1#UPDATED#PROJECT",
        updatedSk="2026",
        name="Website",
        created_at=NOON,
        tags={"b", "a"},
        weights=[1, 2.5, None, {"deep": {"y", "x"}}],
    )

    assert line == {
        "key": ["PROJECTS", "PROJECT#prj_1"],
        "item": {
            "created_at": "2099-07-28T12:00:00.000Z",
            "name": "Website",
            "tags": ["a", "b"],
            "weights": [1, 2.5, None, {"deep": ["x", "y"]}],
        },
    }


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ({"text": "Short.", "blob": None}, "Short."),
        ({"text": "", "blob": "texts/ws_1/iss_1/txt_1"}, "A long story."),
        # It is not kept any more: what is known of it is told.
        ({"text": "", "blob": "texts/ws_1/gone"}, {"text": "", "blob": "texts/ws_1/gone"}),
    ],
)
def test_a_text_is_put_in_wherever_it_is_kept(kept: dict[str, Any], shown: object) -> None:
    assert exported("ISSUE#iss_1", "X#BODY", description=kept)["item"] == {"description": shown}


def test_what_somebody_sent_that_looks_like_a_kept_text_stays_as_it_was_sent() -> None:
    sent = {"page": {"text": "", "blob": "texts/ws_1/iss_1/txt_1"}}

    assert exported("THREAD#thr_1", "M#1", context=sent)["item"] == {"context": sent}


def test_the_artifact_of_a_pipeline_has_its_text() -> None:
    line = exported("PIPE#p", "FILE#design.md#000001", blob="pipelines/ws_1/p/design.md/1-a")

    assert line["item"]["text"] == "# Design"


def test_a_file_is_named_and_not_put_in() -> None:
    line = exported("ATTACHMENTS", "att_1", blob="ws_1/attachments/issue/iss_1/att_1-a.png")

    assert line["item"] == {"blob": "ws_1/attachments/issue/iss_1/att_1-a.png"}


def test_what_is_only_called_like_a_secret_is_exported() -> None:
    counted = {"tokens": 12, "total_tokens": 34, "shown_hash": "of what is shown"}

    assert exported("PIPE#p", "LOG#000001", **counted)["item"] == counted


@pytest.mark.parametrize("name", ["secret", "webhook_secret", "key_hash", "live_keys", "token"])
def test_a_secret_is_left_out(name: str) -> None:
    assert exported("AGENTS", "AGENT#agt_1", **{name: "hush", "name": "Ada"})["item"] == {"name": "Ada"}


@pytest.mark.parametrize(
    ("partition", "sort"),
    [
        ("TERM#login", "iss_1"),
        ("REF#iss_1", "TERMS"),
        ("IDEMPOTENCY#key_1", "issues.create#abc"),
        ("QUEUE", "0#2026#iss_1"),
        ("QUEUE#HELD", "2026#iss_1"),
        ("THREAD#thr_1#STREAM", "P#2026#x"),
        ("AGENT#agt_1", "CLAIM#iss_1"),
        ("COUNT#issues", "S#st_1#3"),
        ("COUNT#issues#prj_1", "D#2026-07-28#0"),
        ("NUMBERS", "drf_1"),
        ("AGENTKEYS#agt_1", "KEYS"),
        ("EXPORT#exp_1", "EXPORT"),
        ("EXPORTS", "LATEST"),
    ],
)
def test_what_is_derived_or_passing_is_left_out(partition: str, sort: str) -> None:
    assert exported(partition, sort, id="x") is None


@pytest.mark.parametrize(
    ("partition", "sort"),
    [
        ("REF#cmt_1", "REV#00"),
        ("REF#step_1", "REF"),
        ("THREAD#thr_1", "M#2026#msg_1"),
        ("ISSUE#iss_1", "X#RELATION#BLOCKS#iss_2"),
        ("ISSUE#iss_1", "X#LINK#res_1#FIXES"),
        ("NUMBERS", "ISSUE"),
        # Not to be made anew from what else there is.
        ("COUNT#issues", "D#2026-07-28#SLA#3"),
        ("UNIQUE#LABEL#bug", "GUARD"),
        ("AGENT#agt_1", "LIVE#iss_1#-"),
        ("LOG", "2026#evt_1"),
        ("LABELS", "LABEL#lbl_1"),
        # As callers may call their workflows and pipelines.
        ("GATED#x#STREAM", "RUN#TERM#1"),
        ("PIPE#TERM#", "META"),
        ("INVENTED#by_a_newer_build", "META"),
    ],
)
def test_everything_else_is_exported_whatever_it_is(partition: str, sort: str) -> None:
    assert exported(partition, sort, id="x") == {"key": [partition, sort], "item": {"id": "x"}}


def test_the_first_line_says_what_it_is_and_the_last_one_how_much() -> None:
    order = ExportItem(workspace_id="ws_1", id="exp_1", created_at=NOON)
    workspace = a_workspace(id="ws_1", slug="acme", key_prefix="ACME", name="Acme")

    assert json.loads(first_line(order, workspace)) == {
        "export": {
            "format": FORMAT,
            "forge": __version__,
            "exportId": "exp_1",
            "orderedAt": "2099-07-28T12:00:00.000Z",
            "workspace": {"id": "ws_1", "slug": "acme", "key": "ACME", "name": "Acme"},
        }
    }
    assert json.loads(last_line(12)) == {"end": {"items": 12}}
