"""The direct way to DynamoDB: signed, checked, and right about the time."""

from collections.abc import Mapping
from datetime import timedelta
from email.utils import format_datetime
from zlib import crc32

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials as BotocoreCredentials

from forge.store.answers import NoAnswer, Refused, TableAnswer
from forge.store.dynamodb import DynamoDB
from forge.store.http_pool import Pool, Server
from forge.store.signed_requests import SignedRequests, signed_requests
from forge.store.signing import Credentials
from forge.testing.clock import NOON, FakeClock
from tests.unit.store.local_server import LocalServer, Received, chunked, http, serving

REGION = "eu-central-1"
KEY = Credentials("key", "secret")
EXPIRED = b'{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"Signature expired"}'


def requests_to(server: LocalServer, credentials: Credentials = KEY) -> SignedRequests:
    pool = Pool(Server.at(server.url), read_seconds=30)
    return SignedRequests(pool, lambda: credentials, REGION, now=FakeClock())


def botocore_signature(received: Received, url: str, credentials: Credentials) -> str:
    """What botocore would have written on this very request."""
    signed = received.headers["authorization"].partition("SignedHeaders=")[2].partition(",")[0].split(";")
    headers = {name: received.headers[name] for name in signed if name != "host"}
    request = AWSRequest("POST", f"{url}/", headers=headers, data=received.body)
    request.context["timestamp"] = received.headers["x-amz-date"]
    signer = SigV4Auth(BotocoreCredentials(*credentials), "dynamodb", REGION)
    return str(signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request))


@pytest.mark.parametrize("credentials", [KEY, Credentials("key", "secret", "token")])
def test_a_request_says_what_and_when_and_is_signed(credentials: Credentials) -> None:
    with serving(lambda received: http(b'{"Item": {}}')) as server:
        answer = requests_to(server, credentials)("GetItem", b'{"TableName":"t"}')

        assert answer == TableAnswer(200, b'{"Item": {}}')
        (received,) = server.received
        assert (received.line, received.body) == ("POST / HTTP/1.1", b'{"TableName":"t"}')
        assert received.headers["x-amz-target"] == "DynamoDB_20120810.GetItem"
        assert received.headers["x-amz-date"] == f"{NOON:%Y%m%dT%H%M%SZ}"
        assert received.headers.get("x-amz-security-token") == credentials.token
        signature = received.headers["authorization"].rpartition("Signature=")[2]
        assert signature == botocore_signature(received, server.url, credentials)


def test_an_answer_with_the_right_checksum_is_taken() -> None:
    with serving(lambda received: http(b"{}", X_Amz_Crc32=str(crc32(b"{}")))) as server:
        assert requests_to(server)("GetItem", b"{}").body == b"{}"


def test_an_answer_with_a_wrong_checksum_is_none() -> None:
    with serving(lambda received: http(b"{}", X_Amz_Crc32="17")) as server, pytest.raises(NoAnswer):
        requests_to(server)("GetItem", b"{}")


def test_an_answer_in_chunks_is_put_together() -> None:
    with serving(lambda received: chunked(b'{"Count"', b": 3}")) as server:
        assert DynamoDB(requests_to(server)).ask("Query", {}) == {"Count": 3}


def test_an_answer_that_is_no_json_is_none() -> None:
    with serving(lambda received: http(b"<html>Hello</html>")) as server, pytest.raises(NoAnswer):
        DynamoDB(requests_to(server)).ask("Query", {})


def test_a_page_of_something_in_between_is_a_refusal_with_its_status() -> None:
    page = http(b"<html>Bad gateway</html>", status=502)
    with serving(lambda received: page) as server, pytest.raises(Refused) as caught:
        DynamoDB(requests_to(server)).ask("Query", {})

    assert (caught.value.code, caught.value.status) == ("502", 502)


@pytest.mark.parametrize("off", [timedelta(hours=3), timedelta(minutes=-20)])
def test_a_machine_whose_clock_is_wrong_learns_the_time_and_keeps_it(off: timedelta) -> None:
    right = f"{NOON + off:%Y%m%dT%H%M%SZ}"

    def strict(received: Received) -> bytes:
        if received.headers["x-amz-date"] == right:
            return http()
        return http(EXPIRED, status=400, Date=format_datetime(NOON + off, usegmt=True))

    with serving(strict) as server:
        send = requests_to(server)

        assert send("GetItem", b"{}").status == 200
        assert send("GetItem", b"{}").status == 200
        assert len(server.received) == 3


@pytest.mark.parametrize(
    "headers", [{"Date": format_datetime(NOON, usegmt=True)}, {"Date": "yesterday"}, {}], ids=str
)
def test_a_signature_that_is_wrong_at_the_right_time_is_not_sent_again(headers: Mapping[str, str]) -> None:
    with serving(lambda received: http(EXPIRED, status=400, **headers)) as server:
        assert requests_to(server)("GetItem", b"{}").status == 400

        assert len(server.received) == 1


def test_a_clock_that_can_not_be_believed_is_followed_only_once() -> None:
    dates = iter(range(1, 100))

    def confused(received: Received) -> bytes:
        date = NOON + timedelta(days=next(dates))
        return http(EXPIRED, status=400, Date=format_datetime(date, usegmt=True))

    with serving(confused) as server:
        assert requests_to(server)("GetItem", b"{}").status == 400

        assert len(server.received) == 2


PAIR = ("key", "secret")
OF_REGION = {
    "us-east-1": "dynamodb.us-east-1.amazonaws.com",
    "us-gov-west-1": "dynamodb.us-gov-west-1.amazonaws.com",
    "cn-north-1": "dynamodb.cn-north-1.amazonaws.com.cn",
}


@pytest.mark.parametrize("region", OF_REGION)
def test_without_an_endpoint_it_is_the_regions_own(region: str) -> None:
    found = signed_requests(region, None, PAIR, {})

    assert found is not None
    assert found.server == Server(OF_REGION[region], 443, True, OF_REGION[region], "/")


def test_an_endpoint_in_the_environment_counts_unless_one_is_given() -> None:
    environment = {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}

    from_environment = signed_requests(REGION, None, PAIR, environment)
    given = signed_requests(REGION, "http://127.0.0.1:2", PAIR, environment)

    assert from_environment is not None
    assert given is not None
    assert (from_environment.server.port, given.server.port) == (1, 2)


@pytest.mark.parametrize(
    ("region", "endpoint", "pair", "environment"),
    [
        (REGION, None, PAIR, {"HTTPS_PROXY": "http://proxy:3128"}),
        (REGION, None, PAIR, {"https_proxy": "http://proxy:3128"}),
        (REGION, "http://dynamodb.internal", PAIR, {"http_proxy": "http://proxy:3128"}),
        (REGION, "http://127.0.0.1/stage", PAIR, {}),
        (REGION, None, PAIR, {"AWS_USE_FIPS_ENDPOINT": "true"}),
        (REGION, None, PAIR, {"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"}),
        pytest.param("us-iso-east-1", None, PAIR, {}, id="a partition with names of its own"),
        pytest.param(REGION, None, None, {}, id="without credentials"),
    ],
)
def test_what_only_botocore_can_do_is_left_to_it(
    region: str, endpoint: str | None, pair: tuple[str, str] | None, environment: Mapping[str, str]
) -> None:
    assert signed_requests(region, endpoint, pair, environment) is None


def test_this_machine_is_never_behind_a_proxy() -> None:
    environment = {"http_proxy": "http://proxy:3128", "HTTPS_PROXY": "http://proxy:3128"}

    assert signed_requests(REGION, "http://127.0.0.1:1", PAIR, environment) is not None
