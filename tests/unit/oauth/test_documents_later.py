"""Documents of clients when time goes by: out of reach, taken away, and with more in them than is read."""

import json
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from tests.unit.oauth.programs import error_of, read
from tests.unit.oauth.site import Site
from tests.unit.store.local_server import http


def test_a_client_that_is_known_goes_on_while_its_document_is_out_of_reach(site: Site) -> None:
    site.desk.sign_in()
    program = site.program()
    tokens = read(program.exchange(program.let_in().query["code"]))
    site.says["/oauth/client.json"] = http(b"", status=503)
    site.desk.world.clock.advance(hours=2)

    tokens = read(program.refresh(tokens.refresh))
    asked = len(site.asked)
    # It is asked for again, but not at each call.
    tokens = read(program.refresh(tokens.refresh))
    assert len(site.asked) == asked
    site.desk.world.clock.advance(days=2)
    assert error_of(program.refresh(tokens.refresh)) == "invalid_client"


def test_a_document_that_was_taken_away_makes_nobody_known(site: Site) -> None:
    site.desk.sign_in()
    program = site.program()
    tokens = read(program.exchange(program.let_in().query["code"]))
    site.says["/oauth/client.json"] = http(b"", status=404)
    site.desk.world.clock.advance(hours=2)

    assert error_of(program.refresh(tokens.refresh)) == "invalid_client"


def test_strangers_do_not_keep_those_out_who_are_known(site: Site) -> None:
    site.desk.sign_in()
    program = site.program()
    tokens = read(program.exchange(program.let_in().query["code"]))
    site.desk.world.clock.advance(hours=2)
    for number in range(61):
        program.question(client_id=f"https://client.example/{number}.json")

    assert program.question(client_id="https://client.example/another.json").status == 429
    assert read(program.refresh(tokens.refresh)).access


@pytest.mark.parametrize(
    "more",
    [
        {"n": 1.5},
        {"n": 10**60},
        {"n": None},
        {"x5c": ["a", {"b": [1]}]},
        {"deep": json.loads("[" * 60 + "]" * 60)},
        {"": ""},
        {"alg": "none"},
        {"kty": "oct"},
    ],
)
def test_what_else_stands_in_a_clients_keys_is_no_fault(site: Site, more: dict[str, Any]) -> None:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    known = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key)) | {"alg": "ES256"}
    site.tells(token_endpoint_auth_method="private_key_jwt", jwks={"keys": [known, known | more, more, 7]})
    site.desk.sign_in()

    assert site.program().question().status == 200
