"""A session is what the client says it is, within bounds; without a word it is the key's own."""

import pytest

from forge.auth.sessions import session_of
from forge.errors import ErrorCode, InvalidInput


@pytest.mark.parametrize("header", ["mcp-session-id", "x-forge-session"])
def test_a_client_names_its_session_in_either_header(header: str) -> None:
    assert session_of({header: "session-1"}, "key_1") == "session-1"


def test_the_mcp_header_wins() -> None:
    headers = {"x-forge-session": "ours", "mcp-session-id": "theirs"}

    assert session_of(headers, "key_1") == "theirs"


def test_space_around_a_session_does_not_count() -> None:
    assert session_of({"mcp-session-id": "  session-1\t"}, "key_1") == "session-1"


def test_without_a_header_a_key_always_has_the_same_session() -> None:
    assert session_of({}, "key_1") == session_of({}, "key_1")


def test_without_a_header_two_keys_have_two_sessions() -> None:
    assert session_of({}, "key_1") != session_of({}, "key_2")


def test_a_sessions_name_does_not_tell_the_key() -> None:
    assert "key_1" not in session_of({}, "key_1")


@pytest.mark.parametrize("value", ["!", "~", "s" * 128, 'a"b,c;d'])
def test_any_visible_ascii_will_do(value: str) -> None:
    assert session_of({"mcp-session-id": value}, "key_1") == value


@pytest.mark.parametrize("value", ["", "   ", "s" * 129, "two words", "a\nb", "a\x00b", "é", "a\x7f", "名"])
@pytest.mark.parametrize("header", ["mcp-session-id", "x-forge-session"])
def test_anything_else_is_refused_by_its_header(header: str, value: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        session_of({header: value}, "key_1")

    assert caught.value.code is ErrorCode.INVALID_INPUT
    assert list(caught.value.issues or {}) == [header]


def test_a_bad_session_is_not_passed_over_for_a_good_one() -> None:
    with pytest.raises(InvalidInput):
        session_of({"mcp-session-id": "", "x-forge-session": "good"}, "key_1")
