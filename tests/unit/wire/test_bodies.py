"""A body may be compressed or begin with a byte-order mark; what can't be read gets a true sentence."""

import gzip
import json
import zlib

import pytest

from forge.testing.world import World
from forge.wire.http import MAX_BODY_BYTES
from tests.unit.wire.answers import body_of, result_of, rpc_error

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (gzip.compress(PING, mtime=0), {"content-encoding": "gzip"}),
        (gzip.compress(PING, mtime=0), {}),
        (gzip.compress(MARK + PING, mtime=0), {}),
        (MARK + PING, {}),
        ("\ufeff" + PING.decode(), {}),
        (PING, {"content-encoding": "identity"}),
    ],
)
def test_it_is_read_however_it_was_packed(world: World, body: bytes | str, headers: dict[str, str]) -> None:
    assert result_of(world.send(body, key=world.a_key(), headers=headers)) == {}


def test_it_is_read_over_rest_too(world: World) -> None:
    packed = gzip.compress(b'{"query": "workspace"}', mtime=0)
    response = world.rest("catalog.search", packed, key=world.a_key())

    assert body_of(response)["data"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (gzip.compress(PING, mtime=0)[:-4], {}),
        (gzip.compress(PING, mtime=0) + b"more", {}),
        (b"\x1f\x8b" + PING, {}),
        (gzip.compress(b"{", mtime=0), {}),
        (gzip.compress(gzip.compress(PING, mtime=0), mtime=0), {}),
        (zlib.compress(PING), {"content-encoding": "deflate"}),
        (b"\x8b\x12", {"content-encoding": "br"}),
        (MARK + MARK + PING, {}),
        (b"9" * 5000, {}),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":' + b"9" * 5000 + b"}}", {}),
    ],
)
def test_what_can_not_be_read_is_a_parse_error(world: World, body: bytes, headers: dict[str, str]) -> None:
    response = world.send(body, key=world.a_key(), headers=headers)
    over_rest = world.rest("catalog.search", body, key=world.a_key(), headers=headers)

    assert (response.status, rpc_error(response)["code"]) == (400, -32700)
    assert (over_rest.status, body_of(over_rest)["error"]) == (400, "invalid_input")


def test_what_unpacks_to_too_much_is_too_large(world: World) -> None:
    bomb = gzip.compress(b" " * (MAX_BODY_BYTES + 1), mtime=0)

    response = world.rest("catalog.search", bomb, key=world.a_key())

    assert len(bomb) < MAX_BODY_BYTES // 100
    assert (response.status, body_of(response)["error"]) == (413, "payload_too_large")


@pytest.mark.parametrize("digits", [400, 4000])
def test_a_long_number_is_the_callers_mistake(world: World, digits: int) -> None:
    body = json.dumps({"query": "x", "limit": 0}).replace("0", "9" * digits)

    response = world.rest("catalog.search", body, key=world.a_key())

    assert (response.status, set(body_of(response)["issues"])) == (400, {"limit"})
