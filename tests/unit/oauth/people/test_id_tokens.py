"""ID tokens: what is wrong with one is found, whatever else is right."""

import base64
import hmac
import json
import warnings
from collections.abc import Sequence
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from forge.testing.clock import NOON
from forge.testing.openid import OpenIdProvider, SigningKey
from functions.oauth.people.discovery import Document
from functions.oauth.people.id_tokens import BadToken, Expected, Flaw, verified
from functions.oauth.people.providers import IdentityProvider

AT = NOON.timestamp()


class Listed:
    """The keys of a provider as they were, and as they are when asked again."""

    def __init__(self, there: OpenIdProvider) -> None:
        self.there = there
        self.first = there.jwks()["keys"]
        self.asked_again = 0

    def __call__(self, *, again: bool = False) -> Sequence[Document]:
        self.asked_again += again
        keys: list[Document] = self.there.jwks()["keys"] if again else self.first
        return keys


def an_expected(there: OpenIdProvider, issuer: str = "") -> Expected:
    return Expected(IdentityProvider(issuer or there.issuer, there.client_id), "n1", NOON)


def the_flaw(there: OpenIdProvider, token: str, keys: Listed | None = None, issuer: str = "") -> Flaw:
    with pytest.raises(BadToken) as refusal:
        verified(token, keys or Listed(there), an_expected(there, issuer))
    return refusal.value.flaw


def a_token(there: OpenIdProvider, **claims: Any) -> str:
    return there.id_token(**{"nonce": "n1", "now": AT, **claims})


def test_a_good_token_tells_whom_it_is_about() -> None:
    there = OpenIdProvider()

    claims = verified(a_token(there), Listed(there), an_expected(there))

    assert claims["sub"] == "ada-1"


@pytest.mark.parametrize(
    ("claims", "flaw"),
    [
        ({"iss": "https://evil.example.com"}, Flaw.ISSUER),
        ({"aud": "somebody-else"}, Flaw.AUDIENCE),
        ({"aud": ["forge", "somebody-else"]}, Flaw.AUDIENCE),
        ({"aud": ["forge", "somebody-else"], "azp": "somebody-else"}, Flaw.AUDIENCE),
        ({"azp": "somebody-else"}, Flaw.AUDIENCE),
        ({"aud": []}, Flaw.AUDIENCE),
        ({"nonce": "another"}, Flaw.NONCE),
        ({"nonce": ""}, Flaw.NONCE),
        ({"exp": int(AT) - 61}, Flaw.EXPIRED),
        ({"iat": int(AT) + 61}, Flaw.EXPIRED),
        ({"nbf": int(AT) + 61}, Flaw.EXPIRED),
        ({"exp": "tomorrow"}, Flaw.MALFORMED),
        ({"exp": True}, Flaw.MALFORMED),
        ({"sub": ""}, Flaw.MALFORMED),
        ({"sub": "x" * 256}, Flaw.MALFORMED),
    ],
)
def test_a_claim_that_is_wrong_is_enough(claims: dict[str, Any], flaw: Flaw) -> None:
    there = OpenIdProvider()

    assert the_flaw(there, a_token(there, **claims)) is flaw


def test_a_token_for_several_is_good_when_it_was_made_for_us() -> None:
    there = OpenIdProvider()

    assert verified(a_token(there, aud=["forge", "another"], azp="forge"), Listed(there), an_expected(there))


def test_a_token_without_a_signature_is_nobodys() -> None:
    there = OpenIdProvider()
    claims = {"iss": there.issuer, "aud": "forge", "nonce": "n1", "sub": "ada-1", "iat": AT, "exp": AT + 9}

    assert the_flaw(there, jwt.encode(claims, "", algorithm="none")) is Flaw.ALGORITHM


def test_a_public_key_is_no_shared_secret() -> None:
    there = OpenIdProvider()
    claims = {"iss": there.issuer, "aud": "forge", "nonce": "n1", "sub": "ada-1", "iat": AT, "exp": AT + 9}
    header, body = (_encoded(json.dumps(one)) for one in ({"alg": "HS256", "kid": "first"}, claims))
    # What everybody knows of the key, as the secret; by hand, because the library signs with no such thing.
    known = there.keys[-1].private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    forged = f"{header}.{body}.{_encoded(hmac.digest(known, f'{header}.{body}'.encode(), 'sha256'))}"

    assert the_flaw(there, forged) is Flaw.ALGORITHM


def _encoded(part: str | bytes) -> str:
    content = part.encode() if isinstance(part, str) else part
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def test_a_token_signed_by_somebody_else_under_a_known_name_is_refused() -> None:
    there, stranger = OpenIdProvider(), OpenIdProvider()

    assert the_flaw(there, a_token(stranger)) is Flaw.SIGNATURE


def test_a_new_key_is_fetched_once_and_found() -> None:
    there = OpenIdProvider()
    keys = Listed(there)
    there.rotate()

    assert verified(a_token(there), keys, an_expected(there))
    assert keys.asked_again == 1


def test_a_key_that_nobody_knows_is_refused_after_asking_once() -> None:
    there, stranger = OpenIdProvider(), OpenIdProvider(keys=[SigningKey("unheard-of")])
    keys = Listed(there)

    assert the_flaw(there, a_token(stranger), keys) is Flaw.KEY
    assert keys.asked_again == 1


@pytest.mark.parametrize(
    "change", [{"use": "enc"}, {"alg": "ES384"}, {"kty": "oct", "k": "c2VjcmV0"}, {"kty": "?"}, {"x": 7}]
)
def test_a_listed_key_that_is_for_something_else_signs_nothing(change: dict[str, Any]) -> None:
    there = OpenIdProvider()
    keys = Listed(there)
    keys.first = [{**keys.first[0], **change}]
    there.keys = []

    assert the_flaw(OpenIdProvider(), a_token(OpenIdProvider()), keys) is Flaw.KEY


@pytest.mark.parametrize("text", ["", "a.b.c", "x" * 40_000, "eyJhbGciOiJFUzI1NiJ9.e30."])
def test_what_is_no_token_is_refused(text: str) -> None:
    there = OpenIdProvider()

    assert the_flaw(there, text) in (Flaw.MALFORMED, Flaw.SIGNATURE)


def test_what_must_be_understood_and_is_not_is_refused() -> None:
    there = OpenIdProvider()
    claims = jwt.decode(a_token(there), options={"verify_signature": False})
    key = there.keys[-1]
    token = jwt.encode(claims, key.private, algorithm="ES256", headers={"kid": key.id, "crit": ["x"], "x": 1})

    assert the_flaw(there, token) is Flaw.MALFORMED


TENANT = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
ENTRA = "https://login.microsoftonline.com/{tenantid}/v2.0"


def test_with_any_tenant_the_token_must_be_of_the_one_it_names() -> None:
    of_theirs = ENTRA.replace("{tenantid}", TENANT)
    there = OpenIdProvider(issuer=of_theirs)

    good = verified(a_token(there, tid=TENANT), Listed(there), an_expected(there, ENTRA))

    assert good["iss"] == of_theirs
    assert the_flaw(there, a_token(there), issuer=ENTRA) is Flaw.ISSUER
    other = TENANT.replace("3f25", "ffff")
    assert the_flaw(there, a_token(there, tid=other), issuer=ENTRA) is Flaw.ISSUER
    assert the_flaw(there, a_token(there, tid="{tenantid}", iss=ENTRA), issuer=ENTRA) is Flaw.ISSUER


def test_a_key_that_signs_for_one_tenant_signs_for_no_other() -> None:
    there = OpenIdProvider(issuer=ENTRA.replace("{tenantid}", TENANT))
    keys = Listed(there)
    keys.first = [{**keys.first[0], "issuer": ENTRA.replace("{tenantid}", TENANT.replace("3f25", "ffff"))}]

    assert the_flaw(there, a_token(there, tid=TENANT), keys, issuer=ENTRA) is Flaw.ISSUER

    keys.first = [{**keys.first[0], "issuer": ENTRA}]
    assert verified(a_token(there, tid=TENANT), keys, an_expected(there, ENTRA))


@pytest.mark.parametrize(("bits", "is_good"), [(2048, True), (1024, False)])
def test_most_providers_sign_with_rsa_and_short_keys_of_it_are_none(bits: int, is_good: bool) -> None:
    there = OpenIdProvider()
    private = rsa.generate_private_key(65537, bits)
    keys = Listed(there)
    listed = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(private.public_key()))
    keys.first = [{**listed, "kid": "rsa", "use": "sig"}]
    there.keys = []
    claims = {"iss": there.issuer, "aud": "forge", "nonce": "n1", "sub": "ada-1", "iat": AT, "exp": AT + 9}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        token = jwt.encode(claims, private, algorithm="RS256", headers={"kid": "rsa"})

    if is_good:
        assert verified(token, keys, an_expected(there))["sub"] == "ada-1"
    else:
        assert the_flaw(there, token, keys) is Flaw.KEY


@pytest.mark.parametrize("algorithm", [["ES256"], {"a": 1}, 7, None, ""])
def test_an_algorithm_that_is_no_name_is_none(algorithm: object) -> None:
    header, body = (_encoded(json.dumps(one)) for one in ({"alg": algorithm}, {}))

    assert the_flaw(OpenIdProvider(), f"{header}.{body}.AAAA") in (Flaw.ALGORITHM, Flaw.MALFORMED)
