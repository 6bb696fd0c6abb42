"""Signatures: as AWS publishes them, and as botocore makes them."""

from string import ascii_letters, digits, printable

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotocoreCredentials
from hypothesis import given
from hypothesis import strategies as st

from forge.store.signing import Credentials, Scope, authorization, signing_key

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
EXAMPLE = Credentials("AKIDEXAMPLE", SECRET)
SCOPE = Scope("us-east-1", "service")
ALWAYS = {"host": "example.amazonaws.com", "x-amz-date": "20150830T123600Z"}
FORM = "application/x-www-form-urlencoded"
TOKEN = (
    "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRq"
    "TflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75Y"
    "U9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9K"
    "SYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="
)

# The cases of AWS's own test suite (aws-sig-v4-test-suite) that post to the root of a service.
PUBLISHED = {
    "post-vanilla": ({}, b"", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    "post-header-key-sort": (
        {"my-header1": "value1"},
        b"",
        "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
    ),
    "post-header-value-case": (
        {"my-header1": "VALUE1"},
        b"",
        "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
    ),
    "post-sts-header-before": (
        {"x-amz-security-token": TOKEN},
        b"",
        "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead",
    ),
    "post-x-www-form-urlencoded": (
        {"content-type": FORM},
        b"Param1=value1",
        "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
    ),
    "post-x-www-form-urlencoded-parameters": (
        {"content-type": f"{FORM}; charset=utf8"},
        b"Param1=value1",
        "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe",
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_request_of_the_published_suite_has_its_published_signature(name: str) -> None:
    more, body, signature = PUBLISHED[name]

    signed = authorization(EXAMPLE, SCOPE, ALWAYS | more, body)

    assert signed == (
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
        f"SignedHeaders={';'.join(sorted(ALWAYS | more))}, Signature={signature}"
    )


@pytest.mark.parametrize(
    ("day", "key"),
    [
        ("20120215", "f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d"),
        ("20150830", "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9"),
    ],
)
def test_the_key_of_a_day_is_the_published_one(day: str, key: str) -> None:
    assert signing_key(SECRET, day, Scope("us-east-1", "iam")).hex() == key


_words = st.text(ascii_letters + digits, min_size=1, max_size=30)


@given(
    access_key=_words,
    secret_key=st.text(printable.strip(), min_size=1, max_size=60),
    token=st.none() | _words,
    target=_words,
    region=st.sampled_from(["us-east-1", "eu-central-1", "cn-north-1"]),
    body=st.binary(max_size=300),
)
def test_a_request_is_signed_as_botocore_signs_it(
    access_key: str, secret_key: str, token: str | None, target: str, region: str, body: bytes
) -> None:
    headers = {"content-type": "application/x-amz-json-1.0", "x-amz-target": target}
    request = AWSRequest("POST", "https://dynamodb.example.com/", headers=dict(headers), data=body)
    SigV4Auth(BotocoreCredentials(access_key, secret_key, token), "dynamodb", region).add_auth(request)

    headers |= {"host": "dynamodb.example.com", "x-amz-date": request.headers["X-Amz-Date"]}
    headers |= {"x-amz-security-token": token} if token else {}
    ours = authorization(Credentials(access_key, secret_key, token), Scope(region, "dynamodb"), headers, body)

    assert ours == request.headers["Authorization"]


def test_showing_credentials_shows_no_secret() -> None:
    shown = repr(Credentials("AKIDEXAMPLE", SECRET, TOKEN))

    assert "AKIDEXAMPLE" in shown
    assert SECRET not in shown
    assert TOKEN not in shown
