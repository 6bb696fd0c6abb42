"""What belongs into a log, what is kept of it, and how much an answer shows."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.errors import Conflict, InvalidInput
from functions.runs.rules import logs
from functions.runs.rules.logs import Place, Standing


def after(*chunks: str) -> Standing:
    standing = Standing()
    for chunk in chunks:
        standing = logs.appended(standing, chunk)
    return standing


def test_the_next_chunk_is_taken_and_one_that_is_there_is_known() -> None:
    standing = after("one", "two")

    assert not logs.is_there(standing, 2, "three")
    assert logs.is_there(standing, 1, "two")
    assert logs.is_there(standing, 0, "one")


@pytest.mark.parametrize(("seq", "chunk", "reason"), [(3, "four", "gap"), (1, "another", "other")])
def test_a_gap_and_another_text_say_what_is_expected(seq: int, chunk: str, reason: str) -> None:
    with pytest.raises(Conflict) as refused:
        logs.is_there(after("one", "two"), seq, chunk)

    assert refused.value.details == {"reason": reason, "expected": 2}


def test_what_was_said_long_ago_is_taken_for_known() -> None:
    assert logs.is_there(after(*("x" for _ in range(30))), 0, "whatever it was")


def test_of_more_than_is_kept_the_newest_megabyte_is_left() -> None:
    standing = after(*("x" * 100_000 for _ in range(80)))
    assert standing.first_seq == 0

    cut = logs.appended(standing, "x" * 100_000)

    assert (cut.next_seq, cut.bytes) == (81, 8_100_000)
    assert 1_000_000 <= cut.bytes - cut.marks[0].bytes <= 1_100_000
    assert cut.first_seq == cut.marks[0].seq
    assert logs.shown_from(cut, Place(5, 17)) == Place(cut.first_seq)
    assert logs.shown_from(cut, Place(80)) == Place(80)


def test_what_is_known_of_a_log_stays_small() -> None:
    standing = after(*("x" * 1_000 for _ in range(20_000)))

    assert len(standing.marks) <= 130
    assert len(standing.hashes) <= 20


@given(st.lists(st.text(min_size=1, max_size=60_000), min_size=1, max_size=4))
def test_a_log_is_read_whole_in_answers_that_are_short_enough(chunks: list[str]) -> None:
    place, read = Place(0), [""] * len(chunks)
    for _ in range(200):
        if place.seq >= len(chunks):
            break
        found, place = logs.shown([*enumerate(chunks)][place.seq :], place)
        assert len(json.dumps([text for _, text in found], ensure_ascii=False)) < 31_000
        assert logs.place_of(str(place)) == place
        for seq, text in found:
            read[seq] += text

    assert read == chunks


@pytest.mark.parametrize(
    "secret",
    [
        "forge_sk_" + "a" * 43,
        "ghp_" + "A" * 36,
        "AKIA" + "A" * 16,
        "sk-ant-" + "a" * 40,
        "-----BEGIN RSA PRIVATE KEY-----",
    ],
)
def test_what_holds_a_key_is_refused(secret: str) -> None:
    with pytest.raises(InvalidInput):
        logs.require_no_key(f"export KEY={secret} && make")


def test_what_only_speaks_of_keys_is_no_key() -> None:
    logs.require_no_key("token=abc, sk-learn, task-management-system-of-a-very-long-name, forge_sk_…")
