"""Answers over HTTP: the same however the network cuts them, and never half of one."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.store.answers import NoAnswer
from forge.store.http_replies import Dropped, Incoming, Reply, read_reply
from tests.unit.store.local_server import chunked, http

BODY = b'{"Items": [1, 2, 3]}'
UNFRAMED = b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n" + BODY
OLD = http(BODY).replace(b"HTTP/1.1", b"HTTP/1.0")


def receiving(*pieces: bytes) -> Callable[[int], bytes]:
    """A socket's `recv`, on which these pieces come, and then the end."""
    waiting = list(pieces)

    def receive(most: int) -> bytes:
        if not waiting:
            return b""
        taken, rest = waiting[0][:most], waiting[0][most:]
        waiting[:1] = [rest] if rest else []
        return taken

    return receive


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    ends = [*sorted(place % len(data) for place in places), len(data)]
    pieces = [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [piece for piece in pieces if piece]


def reply_of(*pieces: bytes) -> Reply:
    return read_reply(Incoming(receiving(*pieces)))


@pytest.mark.parametrize(
    ("data", "may_stay"),
    [
        (http(BODY), True),
        (chunked(BODY[:5], BODY[5:]), True),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + http(BODY), True),
        (http(BODY, Connection="Close"), False),
        (UNFRAMED, False),
        (OLD, False),
    ],
)
@given(places=st.lists(st.integers(0, 200), max_size=6))
def test_an_answer_is_the_same_however_it_is_cut(data: bytes, may_stay: bool, places: list[int]) -> None:
    reply = reply_of(*cut(data, places))

    assert (reply.status, reply.body, reply.may_stay) == (200, BODY, may_stay)


@pytest.mark.parametrize("data", [http(BODY), chunked(BODY[:5], BODY[5:])])
def test_an_answer_that_breaks_off_anywhere_is_none(data: bytes) -> None:
    for end in range(1, len(data)):
        with pytest.raises(NoAnswer) as caught:
            reply_of(data[:end])
        assert not isinstance(caught.value, Dropped)


def test_an_end_before_anything_came_is_told_apart() -> None:
    with pytest.raises(Dropped):
        reply_of()


def test_an_error_before_anything_came_is_told_apart_from_one_within_an_answer() -> None:
    def broken(_: int) -> bytes:
        raise ConnectionResetError

    pieces = [http(BODY)[:30]]

    def broken_later(_: int) -> bytes:
        return pieces.pop() if pieces else broken(0)

    with pytest.raises(Dropped):
        read_reply(Incoming(broken))
    with pytest.raises(NoAnswer) as caught:
        read_reply(Incoming(broken_later))
    assert not isinstance(caught.value, Dropped)


def test_a_connection_on_which_more_came_than_the_answer_is_not_used_again() -> None:
    assert reply_of(http(BODY) + b"HTTP/1.1 200").may_stay is False


def test_headers_are_found_by_their_names_in_lower_case() -> None:
    reply = reply_of(http(BODY, X_Amz_Crc32=" 17 "))

    assert reply.headers["x-amz-crc32"] == "17"


@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0-OpenSSH_9.9\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
        b"x" * 200_000,
    ],
)
def test_what_is_no_answer_is_not_taken_for_one(data: bytes) -> None:
    with pytest.raises(NoAnswer):
        reply_of(data)


@given(st.binary(max_size=200))
def test_garbage_never_does_anything_but_fail(data: bytes) -> None:
    with pytest.raises(NoAnswer):
        reply_of(data)
