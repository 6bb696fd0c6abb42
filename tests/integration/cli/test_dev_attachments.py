"""Files on one machine: they go and come by URL, with a client that knows nothing but HTTP."""

from socket import create_connection
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from forge.cli.dev import NAME
from forge.store.blobs import Blobs
from tests.integration.cli.dev_process import Dev
from tests.integration.cli.processes import PLAIN

CONTENT = bytes(range(256)) * 400


def call(dev: Dev, tool: str, arguments: dict[str, Any]) -> Any:
    answer = dev.call(f"attachments.{tool}", arguments, key=dev.owner_key)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ask(method: str, url: str, content: bytes | None = None, **headers: str) -> httpx.Response:
    return httpx.request(method, url, content=content, headers=headers, trust_env=False, verify=PLAIN)


@pytest.fixture
def upload(dev: Dev) -> Any:
    issue = dev.call("issues.create", {"title": "Login hangs"}, key=dev.owner_key).json()
    file = {"filename": "Größe.zip", "mimeType": "application/zip", "size": len(CONTENT)}
    return call(dev, "initUpload", {"targetType": "issue", "targetId": issue["identifier"], **file})


def test_a_file_goes_there_and_comes_back(dev: Dev, upload: Any) -> None:
    sent = ask("PUT", upload["uploadUrl"], CONTENT, **upload["headers"])
    done = call(dev, "finalize", {"attachmentId": upload["attachmentId"]})
    url = call(dev, "getDownloadUrl", {"attachmentId": done["id"]})["url"]
    fetched = ask("GET", url)

    assert (sent.status_code, fetched.status_code) == (200, 200), fetched.text
    assert fetched.content == CONTENT
    assert fetched.headers["content-disposition"].endswith("filename*=UTF-8''Gr%C3%B6%C3%9Fe.zip")


def test_what_was_finalized_is_not_swapped_by_its_url(dev: Dev, upload: Any) -> None:
    url, headers, other = upload["uploadUrl"], upload["headers"], CONTENT[::-1]
    assert ask("PUT", url, CONTENT, **headers).status_code == 200
    done = call(dev, "finalize", {"attachmentId": upload["attachmentId"]})

    ask("PUT", url, other, **headers)
    again = call(dev, "finalize", {"attachmentId": upload["attachmentId"]})

    assert again == done
    assert ask("GET", call(dev, "getDownloadUrl", {"attachmentId": done["id"]})["url"]).content == CONTENT


def test_a_url_takes_this_file_alone(dev: Dev, upload: Any) -> None:
    url, headers = upload["uploadUrl"], upload["headers"]
    signature = parse_qs(urlsplit(url).query)["X-Amz-Signature"][0]
    longer = {**headers, "Content-Length": str(len(CONTENT) + 1)}
    refused = [
        ask("PUT", url.replace(signature, signature[::-1]), CONTENT, **headers),
        ask("PUT", url.replace(upload["attachmentId"], "att_1"), CONTENT, **headers),
        ask("PUT", url.replace("X-Amz-Expires=900", "X-Amz-Expires=9000"), CONTENT, **headers),
        ask("PUT", url, CONTENT + b"!", **longer),
        ask("PUT", url, CONTENT, **{**headers, "Content-Type": "text/html"}),
        ask("PUT", url, CONTENT),
        ask("GET", url, CONTENT, **headers),
        ask("DELETE", url, CONTENT, **headers),
    ]

    assert [one.status_code for one in refused] == [403] * len(refused)
    unsent = dev.call("attachments.finalize", {"key": upload["key"]}, key=dev.owner_key)
    assert unsent.status_code == 409


def test_of_a_file_that_is_too_long_not_a_byte_is_read(upload: Any) -> None:
    url = urlsplit(upload["uploadUrl"])
    head = (
        f"PUT {url.path}?{url.query} HTTP/1.1\r\nHost: {url.netloc}\r\n"
        f"Content-Type: application/zip\r\nContent-Length: {5 * 1024**3}\r\n\r\n"
    )

    with create_connection((str(url.hostname), int(url.port or 0)), timeout=10) as line:
        line.sendall(head.encode())
        answer = line.recv(100)

    assert answer.startswith(b"HTTP/1.1 403 ")


def test_a_url_ends(dev: Dev) -> None:
    blobs = Blobs(NAME, dev.aws.s3)
    put = blobs.url_to_put("late", content_type="text/plain", size=1, seconds=-1)
    get = blobs.url_to_get("late", content_type="text/plain", disposition="attachment", seconds=-1)

    assert ask("PUT", put.url, b"x", **put.headers).status_code == 403
    assert ask("GET", get).status_code == 403


def test_whoever_has_no_url_gets_nothing(dev: Dev, upload: Any) -> None:
    bare = upload["uploadUrl"].partition("?")[0]

    assert ask("GET", bare).status_code == ask("PUT", bare, CONTENT).status_code == 403
