"""Requests to DynamoDB over HTTP, signed: what `DynamoDB` sends by in a deployment."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from zlib import crc32

from forge.clock import system_now
from forge.store.answers import NoAnswer, TableAnswer
from forge.store.credentials import Source, find_source
from forge.store.http_pool import Pool, Server
from forge.store.http_replies import Reply
from forge.store.signing import Credentials, Scope, authorization

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_OTHER_ENDPOINTS = ("AWS_ENDPOINT_URL_DYNAMODB", "AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT")
_OTHER_PARTITIONS = ("us-iso", "eu-iso", "eusc-")

_WRONG_TIME = (
    b"InvalidSignatureException",
    b"RequestExpired",
    b"RequestInTheFuture",
    b"RequestTimeTooSkewed",
)
_TOLERATED = timedelta(minutes=1)


class SignedRequests:
    def __init__(
        self, pool: Pool, source: Source, region: str, *, now: Callable[[], datetime] = system_now
    ) -> None:
        self.server = pool.server
        self._pool = pool
        self._source = source
        self._scope = Scope(region, "dynamodb")
        self._now = now
        self._skew = timedelta(0)
        """How much later it is at AWS than on this machine, once that has mattered."""

    def __call__(self, operation: str, body: bytes) -> TableAnswer:
        reply = self._exchange(operation, body)
        if reply.status in (400, 403) and self._learns_the_time_from(reply):
            reply = self._exchange(operation, body)
        return TableAnswer(reply.status, reply.body)

    def _exchange(self, operation: str, body: bytes) -> Reply:
        credentials = self._source()
        headers = {
            "content-type": "application/x-amz-json-1.0",
            "host": self.server.host,
            "x-amz-date": f"{self._now() + self._skew:%Y%m%dT%H%M%SZ}",
            "x-amz-target": f"DynamoDB_20120810.{operation}",
        }
        if credentials.token:
            headers["x-amz-security-token"] = credentials.token
        headers["authorization"] = authorization(credentials, self._scope, headers, body)
        lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        head = f"POST / HTTP/1.1\r\n{lines}content-length: {len(body)}\r\nuser-agent: forge\r\n\r\n"
        reply = self._pool.exchange(head.encode() + body)
        checksum = reply.headers.get("x-amz-crc32")
        if checksum is not None and checksum != str(crc32(reply.body)):
            raise NoAnswer("the answer was damaged on its way")
        return reply

    def _learns_the_time_from(self, reply: Reply) -> bool:
        """Whether it was refused because this machine's clock is wrong; the answer says what time it is."""
        if "date" not in reply.headers or not any(code in reply.body for code in _WRONG_TIME):
            return False
        from email.utils import parsedate_to_datetime  # slow to load, and hardly ever needed

        try:
            skew = parsedate_to_datetime(reply.headers["date"]) - self._now()
        except (ValueError, TypeError):
            return False
        was_off = abs(skew - self._skew) > _TOLERATED
        self._skew = skew if was_off else self._skew
        return was_off


def signed_requests(
    region: str,
    endpoint: str | None,
    credentials: tuple[str, str] | None,
    environment: Mapping[str, str],
) -> SignedRequests | None:
    """The direct way to DynamoDB, or None where the environment asks for what only botocore can do."""
    given = Credentials(*credentials) if credentials else None
    source = (lambda: given) if given else find_source(environment)
    url = endpoint or environment.get("AWS_ENDPOINT_URL") or _public_endpoint(region, environment)
    if source is None or url is None:
        return None
    server = Server.at(url)
    if server.path != "/" or _is_behind_proxy(server, environment):
        return None
    return SignedRequests(Pool(server, ca_file=environment.get("AWS_CA_BUNDLE")), source, region)


def _public_endpoint(region: str, environment: Mapping[str, str]) -> str | None:
    if any(name in environment for name in _OTHER_ENDPOINTS) or region.startswith(_OTHER_PARTITIONS):
        return None
    suffix = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return f"https://dynamodb.{region}.{suffix}"


def _is_behind_proxy(server: Server, environment: Mapping[str, str]) -> bool:
    """Loopback never is, whatever the environment says."""
    name = "https_proxy" if server.is_secure else "http_proxy"
    return server.name not in _LOOPBACK and any(environment.get(spelt) for spelt in (name, name.upper()))
