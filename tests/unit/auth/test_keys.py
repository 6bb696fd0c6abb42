"""What a new key is made of, how long it lives, and which orders are refused."""

import re
from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest

from forge.auth.keys import MAX_NARROWING_IDS, WELL_FORMED, hash_of, mint
from forge.context import KeyKind, Narrowing
from forge.contract.terms import Scope
from forge.errors import ErrorCode, InvalidInput
from forge.testing.clock import NOON
from tests.unit.auth.entered import AGENT_KEY, PERSONAL_KEY

SESSION_KEY = PERSONAL_KEY._replace(kind=KeyKind.SESSION)


def test_a_raw_key_has_its_prefix_and_43_url_safe_characters() -> None:
    raw = mint(PERSONAL_KEY, key_id="key_1", now=NOON).raw

    assert raw.startswith("forge_sk_")
    assert len(raw) == 9 + 43
    assert re.fullmatch(WELL_FORMED, raw)


def test_no_two_keys_are_alike() -> None:
    keys = {mint(PERSONAL_KEY, key_id="key_1", now=NOON).raw for _ in range(100)}

    assert len(keys) == 100


def test_the_raw_key_is_not_in_its_record() -> None:
    raw, prefix, record = mint(PERSONAL_KEY, key_id="key_1", now=NOON)

    assert raw not in repr(record)
    assert record.key_hash == sha256(raw.encode()).hexdigest() == hash_of(raw)
    assert prefix == raw[:17]


def test_a_record_keeps_what_was_ordered() -> None:
    narrowing = Narrowing(project_ids=frozenset({"prj_1"}))

    record = mint(AGENT_KEY._replace(narrowing=narrowing), key_id="key_1", now=NOON).record

    assert (record.id, record.kind) == ("key_1", KeyKind.AGENT)
    assert record.scopes == {"READ_ISSUES", "ADMIN"}
    assert (record.workspace_id, record.linked_agent_id) == ("ws_1", "agt_1")
    assert record.narrowing == narrowing
    assert (record.revoked_at, record.last_used_at, record.is_member) == (None, None, True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "forge_sk_",
        "forge_sk_" + "a" * 42,
        "forge_sk_" + "a" * 44,
        "forge_pk_" + "a" * 43,
        "FORGE_SK_" + "a" * 43,
        " forge_sk_" + "a" * 43,
        "forge_sk_" + "a" * 43 + "\n",
        "forge_sk_" + "a" * 42 + "=",
        "forge_sk_" + "a" * 42 + "+",
        "forge_sk_" + "a" * 42 + "é",
    ],
)
def test_anything_else_is_not_a_well_formed_key(text: str) -> None:
    assert not re.fullmatch(WELL_FORMED, text)


@pytest.mark.parametrize(
    ("order", "lifetime"),
    [
        (PERSONAL_KEY, None),
        (AGENT_KEY, None),
        (PERSONAL_KEY._replace(expires_in_days=1), timedelta(days=1)),
        (AGENT_KEY._replace(expires_in_days=365), timedelta(days=365)),
        (SESSION_KEY, timedelta(hours=24)),
        (SESSION_KEY._replace(ttl_hours=1), timedelta(hours=1)),
        (SESSION_KEY._replace(ttl_hours=168), timedelta(hours=168)),
    ],
)
def test_a_key_lives_as_long_as_its_kind_and_its_order_say(order: Any, lifetime: timedelta | None) -> None:
    record = mint(order, key_id="key_1", now=NOON).record

    assert record.expires_at == (None if lifetime is None else NOON + lifetime)


@pytest.mark.parametrize(
    ("order", "field"),
    [
        (PERSONAL_KEY._replace(expires_in_days=0), "expiresInDays"),
        (PERSONAL_KEY._replace(expires_in_days=-1), "expiresInDays"),
        (AGENT_KEY._replace(expires_in_days=366), "expiresInDays"),
        (SESSION_KEY._replace(ttl_hours=0), "ttlHours"),
        (SESSION_KEY._replace(ttl_hours=169), "ttlHours"),
        (SESSION_KEY._replace(expires_in_days=1), "expiresInDays"),
        (PERSONAL_KEY._replace(ttl_hours=24), "ttlHours"),
        (AGENT_KEY._replace(ttl_hours=24), "ttlHours"),
        (PERSONAL_KEY._replace(linked_agent_id="agt_1"), "linkedAgentId"),
        (SESSION_KEY._replace(linked_agent_id="agt_1"), "linkedAgentId"),
        (PERSONAL_KEY._replace(user_id=None), "userId"),
        (SESSION_KEY._replace(user_id=""), "userId"),
    ],
)
def test_an_incoherent_order_is_refused_by_field(order: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mint(order, key_id="key_1", now=NOON)

    assert caught.value.code is ErrorCode.INVALID_INPUT
    assert list(caught.value.issues or {}) == [field]


def test_every_fault_of_an_order_is_named_at_once() -> None:
    order = PERSONAL_KEY._replace(linked_agent_id="agt_1", user_id=None)

    with pytest.raises(InvalidInput) as caught:
        mint(order, key_id="key_1", now=NOON)

    assert set(caught.value.issues or {}) == {"linkedAgentId", "userId"}


def test_an_agent_key_needs_neither_user_nor_agent() -> None:
    record = mint(AGENT_KEY._replace(linked_agent_id=None), key_id="key_1", now=NOON).record

    assert (record.user_id, record.linked_agent_id) == (None, None)


def narrowed_to(*, projects: int, labels: int, initiatives: int) -> Narrowing:
    return Narrowing(
        project_ids=frozenset(f"prj_{number}" for number in range(projects)),
        label_ids=frozenset(f"lbl_{number}" for number in range(labels)),
        initiative_ids=frozenset(f"ini_{number}" for number in range(initiatives)),
    )


def test_a_key_may_be_narrowed_to_fifty_ids_in_all() -> None:
    narrowing = narrowed_to(projects=20, labels=20, initiatives=10)

    record = mint(AGENT_KEY._replace(narrowing=narrowing), key_id="key_1", now=NOON).record

    assert record.narrowing == narrowing


@pytest.mark.parametrize(
    "narrowing",
    [
        narrowed_to(projects=MAX_NARROWING_IDS + 1, labels=0, initiatives=0),
        narrowed_to(projects=20, labels=20, initiatives=11),
    ],
)
def test_a_key_narrowed_to_more_ids_is_refused(narrowing: Narrowing) -> None:
    with pytest.raises(InvalidInput) as caught:
        mint(AGENT_KEY._replace(narrowing=narrowing), key_id="key_1", now=NOON)

    assert caught.value.code is ErrorCode.INVALID_INPUT


def test_scopes_may_come_from_any_iterable_once() -> None:
    record = mint(
        AGENT_KEY._replace(scopes=iter([Scope.ADMIN, Scope.ADMIN])), key_id="key_1", now=NOON
    ).record

    assert record.scopes == {"ADMIN"}
