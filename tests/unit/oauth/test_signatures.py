"""Programs that prove themselves by signing: for this server alone, for a moment, and once."""

import json
import re
from typing import Any, NamedTuple

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from forge.wire.http import Response
from tests.unit.oauth.desk import ORIGIN, Desk
from tests.unit.oauth.programs import error_of, post, read
from tests.unit.oauth.test_workers import made

ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def claims(desk: Desk, client_id: str, **changes: Any) -> dict[str, Any]:
    now = int(desk.world.clock().timestamp())
    told = {"iss": client_id, "sub": client_id, "aud": f"{ORIGIN}/oauth", "exp": now + 60, "jti": "j1"}
    return {name: one for name, one in (told | changes).items() if one is not None}


def signed(desk: Desk, assertion: str | None, **more: str) -> Response:
    asked = {
        "grant_type": "client_credentials",
        "client_assertion_type": ASSERTION,
        "client_assertion": assertion,
    }
    return post(desk, "/oauth/token", asked | more)


class Signer(NamedTuple):
    id: str
    key: ec.EllipticCurvePrivateKey


@pytest.fixture(params=["key", "keys"])
def signer(desk: Desk, request: pytest.FixtureRequest) -> Signer:
    desk.admin("agents.create", profileKey="signer", name="Signer", provider="CLAUDE")
    key = ec.generate_private_key(ec.SECP256R1())
    jwk = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key())) | {"alg": "ES256"}
    text = made(desk, jwk=json.dumps(jwk if request.param == "key" else {"keys": [jwk]})).text
    found = re.search(r"fw_[\w-]+", text)
    assert found is not None
    assert "secret" not in text
    return Signer(found[0], key)


def test_a_signature_gives_a_token_once(desk: Desk, signer: Signer) -> None:
    assertion = jwt.encode(claims(desk, signer.id), signer.key, algorithm="ES256")

    tokens = read(signed(desk, assertion))

    assert desk.world.rest("issues.list", {}, key=tokens.access).status == 200
    assert error_of(signed(desk, assertion)) == "invalid_client"


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": "https://evil.example"},
        {"aud": None},
        {"iss": "another"},
        {"sub": "nobody"},
        {"sub": 7},
        {"exp": 10},
        {"exp": 10**11},
        {"exp": None},
        {"exp": "soon"},
        {"jti": None},
    ],
)
def test_a_signature_is_for_us_for_a_moment_and_of_this_client(
    desk: Desk, signer: Signer, changes: dict[str, Any]
) -> None:
    assertion = jwt.encode(claims(desk, signer.id, **changes), signer.key, algorithm="ES256")

    assert error_of(signed(desk, assertion)) == "invalid_client"


def test_another_key_and_no_signature_prove_nothing(desk: Desk, signer: Signer) -> None:
    told = claims(desk, signer.id)
    stranger = ec.generate_private_key(ec.SECP256R1())

    for assertion in (
        jwt.encode(told, stranger, algorithm="ES256"),
        jwt.encode(told, "", algorithm="none"),
        jwt.encode(told, "a secret that is long enough for anybody", algorithm="HS256"),
        "x.y.z",
        "",
    ):
        assert error_of(signed(desk, assertion)) == "invalid_client"
    assert error_of(signed(desk, None)) == "invalid_client"


def test_a_signature_is_its_clients_alone(desk: Desk, signer: Signer) -> None:
    assertion = jwt.encode(claims(desk, signer.id), signer.key, algorithm="ES256")

    assert error_of(signed(desk, assertion, client_id="another")) == "invalid_client"

    assert read(signed(desk, assertion, client_id=signer.id)).access


@pytest.mark.parametrize(
    "jwk", ["{", "[]", '{"kty": "oct", "k": "AAAA"}', '{"kty": "EC"}', "7", '{"keys": [7]}']
)
def test_what_is_no_public_key_is_refused(desk: Desk, jwk: str) -> None:
    desk.admin("agents.create", profileKey="s", name="S", provider="CLAUDE")

    assert made(desk, jwk=jwk).status == 400


def test_a_private_key_is_not_taken(desk: Desk) -> None:
    desk.admin("agents.create", profileKey="s", name="S", provider="CLAUDE")
    key = ec.generate_private_key(ec.SECP256R1())

    assert made(desk, jwk=str(jwt.algorithms.ECAlgorithm.to_jwk(key))).status == 400
