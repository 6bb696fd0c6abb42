"""What is sent is signed, in two ways, byte for byte."""

import hmac
from hashlib import sha256

from forge.testing.clock import NOON
from forge.work.background.deliveries.delivering import signed_headers
from forge.work.workspace.signing import Signing

BODY = '{"title":"Grüße"}'.encode()


def test_both_signatures_are_those_of_the_contract() -> None:
    sent = signed_headers(BODY, Signing("a secret"), now=NOON)

    moment = str(int(NOON.timestamp()))
    assert sent == {
        "content-type": "application/json",
        "user-agent": "forge-webhook/1",
        "x-forge-timestamp": moment,
        "x-forge-signature": hmac.new(b"a secret", f"{moment}.".encode() + BODY, sha256).hexdigest(),
        "x-webhook-signature": hmac.new(b"a secret", BODY, sha256).hexdigest(),
    }


def test_without_a_secret_nothing_pretends_to_be_signed() -> None:
    assert set(signed_headers(BODY, Signing(None), now=NOON)) == {
        "content-type",
        "user-agent",
        "x-forge-timestamp",
    }
