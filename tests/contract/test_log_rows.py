"""Every change leaves its log row in the same transaction, and no secret stays behind anywhere."""

import json
from typing import Any

from forge.auth.keys import hash_of
from forge.context import KeyKind
from forge.contract.models import Rendered
from forge.store.codec import decode_item
from forge.testing.world import TOKEN_SECRET
from tests.contract.calls import every_changing_sample
from tests.contract.dumps import is_attempt, is_outside_transactions, is_step_text, rows_of
from tests.contract.rehearsals import COMMIT, Rehearsal, Rehearse
from tests.contract.samples.admin import A_WEBHOOK_SECRET
from tests.contract.samples.runtimes import A_TOKEN
from tests.contract.stage import Sample

UNLOGGED = {"chat.appendDraftChunk", "runs.appendLog", "runtimes.heartbeat"}
"""What nobody has to answer for: pieces of drafts and of logs, which go by themselves, and signs of life."""


def transactions(rehearsal: Rehearsal) -> list[list[dict[str, Any]]]:
    """The writes of each transaction of the call, but for its idempotency record and what it came to."""
    sent = [one.parameters["TransactItems"] for one in rehearsal.requests if one.operation == COMMIT]
    written = [[write for item in items for write in item.values()] for items in sent]
    return [
        [write for write in writes if "#IDEMPOTENCY#" not in partition(write) and not is_of_a_call(write)]
        for writes in written
    ]


def is_of_a_call(write: dict[str, Any]) -> bool:
    return is_attempt(write.get("Item", {}))


def partition(write: dict[str, Any]) -> str:
    return str((write.get("Key") or write["Item"])["pk"]["S"])


def log_rows(writes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [decode_item(write["Item"]) for write in writes if partition(write).endswith("#LOG")]


def acting_tool(rehearsal: Rehearsal) -> str:
    """The tool that makes the change: catalog and gateway only pass a call on, unless that opens a gate."""
    if rehearsal.sample.tool.output is Rendered:
        given = rehearsal.ready.arguments
        if given.get("intent") == "ANALYZE":
            return rehearsal.sample.tool.name
        return str(given.get("name") or given["action"])
    return rehearsal.sample.tool.name


def secrets(rehearsal: Rehearsal) -> set[str]:
    """All that nobody may find in what is kept: keys and their hashes, tokens, secrets of webhooks."""
    answer = json.loads(rehearsal.answer.body)
    shown_once = {answer[name] for name in ("rawKey", "token", "secret", "webhookSecret") if name in answer}
    keys = {item["key_hash"]["S"] for place, item in rehearsal.end.items() if place[1] == "KEY"}
    raw = {rehearsal.ready.key, rehearsal.world.owner_key()}
    return shown_once | keys | raw | {A_WEBHOOK_SECRET, A_TOKEN, TOKEN_SECRET}


@every_changing_sample
def test_a_change_is_logged_in_its_transaction_and_no_secret_stays_behind(
    sample: Sample, rehearse: Rehearse
) -> None:
    rehearsal = rehearse(sample)

    assert_each_transaction_has_its_row(rehearsal)
    assert_nothing_is_changed_outside_a_transaction(rehearsal)
    assert_rows_say_who_did_it_with_which_tool_in_which_call(rehearsal)
    assert_no_secret_is_kept_or_printed(rehearsal)


def assert_each_transaction_has_its_row(rehearsal: Rehearsal) -> None:
    changing = [writes for writes in transactions(rehearsal) if writes and not is_ahead(writes)]

    assert changing
    assert all(bool(log_rows(writes)) is (acting_tool(rehearsal) not in UNLOGGED) for writes in changing)


def is_ahead(writes: list[dict[str, Any]]) -> bool:
    """Texts that nobody finds until the next transaction takes them up, which has a row."""
    return all(is_step_text(write.get("Item", {"pk": {"S": ""}})) for write in writes)


def assert_nothing_is_changed_outside_a_transaction(rehearsal: Rehearsal) -> None:
    plain = [sent for sent in rehearsal.requests if sent.operation == "UpdateItem"]

    others = [sent for sent in plain if not sent.is_authentication]
    assert all(is_outside_transactions(sent.parameters["Key"]["pk"]["S"]) for sent in others)


def assert_rows_say_who_did_it_with_which_tool_in_which_call(rehearsal: Rehearsal) -> None:
    key = decode_item(rehearsal.end["KEY#" + hash_of(rehearsal.ready.key), "KEY"])
    is_agent = key["kind"] == KeyKind.AGENT

    for row in [row for writes in transactions(rehearsal) for row in log_rows(writes)]:
        assert row["tool"] == acting_tool(rehearsal)
        assert row["key_id"] == key["id"]
        assert row.get("actor_agent_id") == (key["linked_agent_id"] if is_agent else None)
        assert row.get("actor_user_id") == (None if is_agent else key["user_id"])
        assert row["request_id"] == json.loads(rehearsal.line)["requestId"]
        assert row["subject_type"]
        assert row["subject_id"]
        assert row["action"]


def assert_no_secret_is_kept_or_printed(rehearsal: Rehearsal) -> None:
    kept = json.dumps([*rows_of(rehearsal.end, "LOG"), *rows_of(rehearsal.end, "IDEMPOTENCY")])
    printed = "\n".join(rehearsal.world.log)

    assert [secret for secret in secrets(rehearsal) if secret in kept] == []
    assert [secret for secret in secrets(rehearsal) if secret in printed] == []
