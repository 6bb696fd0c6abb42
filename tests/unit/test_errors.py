"""Every failure has one code, and every code one place on the wire."""

from collections.abc import Iterator

import pytest

from forge import errors
from forge.errors import WIRE, Conflict, DomainError, ErrorCode, InvalidInput, RateLimited, Unauthorized, Wire


def subclasses_of(error: type[DomainError]) -> Iterator[type[DomainError]]:
    for subclass in error.__subclasses__():
        if subclass.__module__ == errors.__name__:
            yield subclass
            yield from subclasses_of(subclass)


DOMAIN_ERRORS = [error for error in subclasses_of(DomainError) if error is not errors.Retold]
"""Those that say themselves what happened."""


def test_every_code_is_on_the_wire() -> None:
    assert set(WIRE) == set(ErrorCode)


def test_every_error_has_a_code_of_its_own_and_every_code_an_error() -> None:
    codes = [error.__dict__.get("code") for error in DOMAIN_ERRORS]

    assert sorted(map(str, codes)) == sorted(map(str, ErrorCode))


@pytest.mark.parametrize("error", DOMAIN_ERRORS, ids=lambda error: str(error.__name__))
def test_an_error_is_named_like_its_code(error: type[DomainError]) -> None:
    assert error.__name__ == error.code.value.title().replace("_", "")


@pytest.mark.parametrize("error", DOMAIN_ERRORS, ids=lambda error: str(error.__name__))
def test_the_tree_in_the_docstring_shows_every_error(error: type[DomainError]) -> None:
    assert f"── {error.__name__}" in (errors.__doc__ or "")


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("invalid_input", 400),
        ("unauthorized", 401),
        ("forbidden", 403),
        ("scope_required", 403),
        ("mode_forbidden", 403),
        ("not_found", 404),
        ("conflict", 409),
        ("payload_too_large", 413),
        ("precondition_failed", 422),
        ("rate_limited", 429),
        ("internal", 500),
        ("unavailable", 503),
    ],
)
def test_a_code_has_the_status_of_the_contract(code: str, status: int) -> None:
    assert WIRE[ErrorCode(code)].http_status == status


@pytest.mark.parametrize("wire", WIRE.values(), ids=[code.value for code in WIRE])
def test_json_rpc_codes_are_reserved_or_ours(wire: Wire) -> None:
    standard = {-32700, -32600, -32601, -32602, -32603}

    assert wire.rpc_code in standard or -32019 <= wire.rpc_code <= -32000


def test_only_what_passes_by_itself_is_worth_repeating() -> None:
    retryable = {code for code, wire in WIRE.items() if wire.retryable}

    assert retryable == {ErrorCode.RATE_LIMITED, ErrorCode.UNAVAILABLE}


def test_the_smallest_error_object_has_four_members() -> None:
    error = Conflict("Somebody was faster.")

    assert error.as_object("req_1") == {
        "error": "conflict",
        "message": "Somebody was faster.",
        "retryable": False,
        "requestId": "req_1",
    }


def test_the_whole_error_object_keeps_its_order() -> None:
    error = InvalidInput("No.", hint="Do this.", issues={"title": "Too long."}, details={"max": 300})

    body = error.as_object("req_1")

    assert list(body) == ["error", "message", "issues", "hint", "retryable", "requestId", "details"]
    assert (body["issues"], body["details"]) == ({"title": "Too long."}, {"max": 300})


def test_what_is_empty_is_left_out() -> None:
    error = InvalidInput("No.", hint="", issues={}, details={})

    assert set(error.as_object("req_1")) == {"error", "message", "retryable", "requestId"}


def test_an_error_may_know_better_whether_to_repeat() -> None:
    assert Conflict("Try again.", retryable=True).as_object("req_1")["retryable"] is True
    assert RateLimited("Never again.", retryable=False).as_object("req_1")["retryable"] is False


def test_an_error_object_is_a_copy() -> None:
    issues = {"title": "Too long."}
    error = InvalidInput("No.", issues=issues)

    body = error.as_object("req_1")
    issues["other"] = "Changed afterwards."

    assert body["issues"] == {"title": "Too long."}


def test_the_wait_is_no_part_of_the_object() -> None:
    error = RateLimited("Wait.", retry_after_seconds=7)

    assert error.retry_after_seconds == 7
    assert 7 not in error.as_object("req_1").values()


@pytest.mark.parametrize("was_sent", [True, False])
def test_a_missing_key_differs_from_a_bad_one(was_sent: bool) -> None:
    assert Unauthorized("Who are you?", key_was_sent=was_sent).key_was_sent is was_sent
