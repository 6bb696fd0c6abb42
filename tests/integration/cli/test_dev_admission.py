"""The port of the embedded AWS: open to this run's keys, and to nothing that a web page can send."""

from pathlib import Path

import httpx
import pytest
from botocore.exceptions import ClientError

from forge.cli import function_variables
from forge.cli.dev import NAME
from forge.store.connections import Connections
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import PLAIN, bound_sockets

FUNCTIONS = "/2015-03-31/functions"
CODE = '{"FunctionName":"f","Runtime":"python3.11","Handler":"i.h","Role":"arn:aws:iam::0:role/r","Code":{}}'


@pytest.fixture(scope="module")
def aws(dev: Dev) -> Connections:
    return dev.aws


def ask(url: str, method: str = "POST", content: str = "", **headers: str) -> httpx.Response:
    return httpx.request(method, url, content=content, headers=headers, trust_env=False, verify=PLAIN)


def is_closed(answer: httpx.Response) -> bool:
    says_nothing = not answer.content and not [name for name in answer.headers if "access-control" in name]
    return answer.status_code == 403 and says_nothing


def presigned(aws: Connections, method: str, key: str) -> str:
    return aws.s3().generate_presigned_url(method, Params={"Bucket": NAME, "Key": key}, ExpiresIn=60)


def test_a_page_can_not_run_code_with_two_simple_requests(aws: Connections) -> None:
    base = str(aws.endpoint)
    plain = {"content-type": "text/plain", "origin": "https://evil.example"}

    created = ask(f"{base}{FUNCTIONS}", content=CODE, **plain)
    invoked = ask(f"{base}{FUNCTIONS}/f/invocations", content="{}", **plain)

    assert is_closed(created)
    assert is_closed(invoked)


@pytest.mark.parametrize(
    "path", ["/", "/_ministack/health", "/_ministack/reset", "/health", f"/{NAME}", FUNCTIONS]
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "PUT", "DELETE"])
def test_nobody_without_a_signature_gets_a_word(aws: Connections, method: str, path: str) -> None:
    assert is_closed(ask(f"{aws.endpoint}{path}", method))


def test_the_functions_service_is_off_even_for_the_owner(aws: Connections) -> None:
    with pytest.raises(ClientError) as refused:
        aws.connect("lambda").list_functions()

    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403


def test_whoever_reads_the_home_can_look_into_the_table(aws: Connections, dev: Dev) -> None:
    assert NAME in aws.dynamodb().list_tables()["TableNames"]
    assert (dev.home / "aws" / "config").stat().st_mode & 0o777 == 0o600


def test_other_keys_open_nothing(aws: Connections) -> None:
    (access_key, secret_key), region = aws.credentials or ("", ""), aws.region
    for keys in ((access_key, "guessed"), ("guessed", secret_key), ("local", "local")):
        with pytest.raises(ClientError) as refused:
            Connections(region, aws.endpoint, keys).dynamodb().list_tables()

        assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403


def test_operations_that_could_not_be_kept_are_off(aws: Connections) -> None:
    with pytest.raises(ClientError) as refused:
        aws.dynamodb().create_backup(TableName=NAME, BackupName="one")

    assert refused.value.response["Error"]["Code"] == "NotImplemented"


def test_a_presigned_url_takes_and_gives_a_file_without_other_headers(aws: Connections) -> None:
    put, get = presigned(aws, "put_object", "gate/file"), presigned(aws, "get_object", "gate/file")

    stored = ask(put, "PUT", "hello")

    assert stored.status_code == 200
    assert ask(get, "GET").text == "hello"


def test_a_presigned_url_is_for_one_thing_only_and_not_for_pages(aws: Connections) -> None:
    put = presigned(aws, "put_object", "gate/other")

    assert is_closed(ask(put, "DELETE"))
    assert is_closed(ask(put.replace("gate/other", "gate/else"), "PUT", "x"))
    assert is_closed(ask(put, "PUT", "x", origin="https://evil.example"))
    assert is_closed(ask(put, "OPTIONS", origin="https://evil.example"))
    assert is_closed(ask(put, "PUT", "x", host="evil.example"))


def test_the_port_is_only_on_loopback(dev: Dev) -> None:
    assert [bound for bound in bound_sockets(dev.emulator) if not bound.address.is_loopback] == []


def test_keys_are_new_for_every_run_and_written_where_only_their_owner_reads(
    aws: Connections, dev: Dev
) -> None:
    (access_key, secret_key) = aws.credentials or ("", "")
    files: list[Path] = [file for file in dev.home.rglob("*") if file.is_file()]

    holding = {file for file in files if secret_key.encode() in file.read_bytes()}
    assert holding == {dev.home / "aws" / "config", function_variables.file_in(dev.home)}
    assert [file for file in holding if file.stat().st_mode & 0o077] == []
    assert access_key not in dev.output
