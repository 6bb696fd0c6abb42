"""What is kept of a call that came to nothing: enough to know what was tried, and never too much."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.errors import Conflict, Retold
from forge.jsontext import decode
from forge.work.record.log.attempts import (
    MOST_PARAMS,
    MOST_TEXT,
    Attempt,
    CallOutcome,
    Level,
    redacted,
    told_of,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=40,
)


@settings(max_examples=40)
@given(st.dictionaries(st.text(), JSON))
def test_whatever_was_sent_stays_readable_and_small(arguments: dict[str, object]) -> None:
    kept = redacted(arguments)

    assert len(kept) <= MOST_PARAMS + 40 * MOST_TEXT
    assert len(decode(kept)) <= len(arguments)


def test_what_fits_is_kept_as_it_was_sent() -> None:
    sent = {
        "issueNumber": 12,
        "includeTypes": ["bug"],
        "testsPassed": False,
        "repository": None,
        "share": 0.5,
    }

    assert decode(redacted(sent)) == sent


@pytest.mark.parametrize(
    "name",
    ["secret", "webhookSecret", "password", "apiKey", "raw_key", "token", "accessToken", "Authorization"],
)
def test_what_is_called_a_secret_is_hidden_however_deep(name: str) -> None:
    kept = redacted({"params": {"settings": [{name: "hunter2"}]}})

    assert "hunter2" not in kept
    assert name in kept


@pytest.mark.parametrize("told", [{"name": "API_KEY", "value": "hunter2"}, {"args": ["--token=hunter2"]}])
def test_what_shows_itself_that_it_is_a_secret_is_hidden_too(told: dict[str, object]) -> None:
    assert "hunter2" not in redacted({"params": {"env": [told]}})


def test_a_name_that_only_contains_a_key_is_none() -> None:
    assert decode(redacted({"profileKey": "worker", "keyboard": "us"})) == {
        "profileKey": "worker",
        "keyboard": "us",
    }


def test_long_texts_lists_and_numbers_are_cut() -> None:
    kept = decode(redacted({"body": "x" * 5_000, "rows": [*range(500)], "number": 10**3000}))

    assert len(kept["body"]) == MOST_TEXT + 1
    assert kept["rows"] == [*range(20)]
    assert kept["number"] == "…"


def test_of_far_too_much_only_the_names_are_kept() -> None:
    sent = {f"field {place}": ["x" * MOST_TEXT] * 20 for place in range(20)}

    assert decode(redacted(sent)) == dict.fromkeys(sent, "…")


def test_what_is_nested_too_deep_is_left_out() -> None:
    assert decode(redacted({"a": {"b": {"c": {"d": {"e": 1}}}}})) == {"a": {"b": {"c": {"d": "…"}}}}


@pytest.mark.parametrize(
    ("outcome", "level"),
    [
        (CallOutcome.SUCCESS, Level.INFO),
        (CallOutcome.SKIPPED, Level.WARN),
        (CallOutcome.FAILURE, Level.ERROR),
    ],
)
def test_a_failure_is_an_error_and_nothing_to_do_a_warning(outcome: CallOutcome, level: Level) -> None:
    assert Attempt.that(outcome, {}, session_id="s").level is level


def test_a_failure_is_kept_as_its_caller_was_told_of_it() -> None:
    plain = Conflict("Somebody was faster.")

    assert told_of(plain) == {"code": "conflict", "error": "Somebody was faster."}
    assert told_of(Retold({"code": "NOT_LOCKED"}, plain)) == {"code": "NOT_LOCKED"}
