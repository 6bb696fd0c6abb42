"""Admission: what is worth reading a body for, by the headers alone, and whose signature is right."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from botocore.auth import S3SigV4QueryAuth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from forge.cli.local.admission import Admission, Asked, Keys
from forge.clock import system_now

PORT = 4566
KEYS = Keys("FORGEKEY", "a secret")
OURS = Admission(KEYS, PORT)
HOST = f"127.0.0.1:{PORT}"


def signed(service: str = "dynamodb", keys: Keys = KEYS, body: bytes = b"{}", **headers: str) -> Asked:
    """As botocore signs it, with what is changed afterwards."""
    request = AWSRequest("POST", f"http://{HOST}/", data=body, headers={"host": HOST})
    SigV4Auth(Credentials(keys.access_key, keys.secret_key), service, "us-east-1").add_auth(request)
    sent = {name.lower(): value for name, value in request.headers.items()}
    return Asked("POST", "/", "/", sent | headers, "", body)


def presigned(method: str = "PUT", lasts: int = 60) -> Asked:
    request = AWSRequest(method, f"http://{HOST}/bucket/key", headers={})
    credentials = Credentials(KEYS.access_key, KEYS.secret_key)
    S3SigV4QueryAuth(credentials, "s3", "us-east-1", expires=lasts).add_auth(request)
    return Asked(
        method, "/bucket/key", "/bucket/key", {"host": HOST}, urlsplit(str(request.url)).query, b"a body"
    )


def is_let_in(asked: Asked, later: timedelta = timedelta()) -> bool:
    return OURS.may_be_read(asked) and OURS.service(asked, system_now() + later) is not None


@pytest.mark.parametrize("service", ["dynamodb", "sqs", "s3"])
def test_a_right_signature_opens_what_is_used(service: str) -> None:
    assert is_let_in(signed(service))


@pytest.mark.parametrize("service", ["lambda", "iam", "sts", "states", "cloudformation", "execute-api"])
def test_everything_else_is_off(service: str) -> None:
    assert not is_let_in(signed(service))


@pytest.mark.parametrize("keys", [Keys("FORGEKEY", "another"), Keys("ANOTHER", "a secret"), Keys("", "")])
def test_other_keys_open_nothing(keys: Keys) -> None:
    assert not is_let_in(signed(keys=keys))


def test_another_body_than_was_signed_opens_nothing() -> None:
    genuine = signed()

    assert not is_let_in(Asked("POST", "/", "/", genuine.headers, "", b"another"))


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"[::1]:{PORT}", f"host.docker.internal:{PORT}", HOST])
def test_every_name_of_this_machine_will_do(host: str) -> None:
    assert OURS.may_be_read(signed(host=host))


@pytest.mark.parametrize(
    "headers",
    [
        *(
            {"host": host}
            for host in ("evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:80", "")
        ),
        *({"origin": origin} for origin in ("https://evil.example", "null", f"http://{HOST}", "")),
        *({"authorization": text} for text in ("", "Bearer x", "AWS4-HMAC-SHA256 Credential=FORGEKEY")),
    ],
)
def test_a_body_is_not_even_read_for_pages_and_strangers(headers: dict[str, str]) -> None:
    genuine = signed()

    assert not OURS.may_be_read(Asked("POST", "/", "/", {**genuine.headers, **headers}, "", genuine.body))


def test_a_presigned_url_is_good_for_its_method_and_its_time() -> None:
    asked = presigned()
    for_another = Asked("DELETE", asked.path, asked.raw_path, asked.headers, asked.query_string)

    assert is_let_in(asked)
    assert not is_let_in(asked, later=timedelta(minutes=2))
    assert not is_let_in(for_another)


def test_two_signatures_are_none() -> None:
    query = presigned().query_string

    assert not is_let_in(Asked("POST", "/", "/", signed().headers, query, b"{}"))
