"""Connections are kept and used again, by any thread, and those that went stale are nobody's failure."""

import socket
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from ssl import PROTOCOL_TLS_SERVER, SSLContext
from threading import Barrier

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from forge.store.answers import NoAnswer
from forge.store.http_pool import MAX_IDLE, MAX_KEPT, Pool, Server
from forge.testing.clock import FakeClock
from tests.unit.store.local_server import HOST, LastWords, LocalServer, Received, http, serving


def request(body: bytes = b"hello") -> bytes:
    return b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)


def a_pool(server: LocalServer, clock: FakeClock | None = None, *, read_seconds: float = 30) -> Pool:
    return Pool(Server.at(server.url), now=clock or FakeClock(), read_seconds=read_seconds)


def echo(received: Received) -> bytes:
    return http(received.body)


def test_one_connection_serves_one_request_after_the_other() -> None:
    with serving(echo) as server:
        pool = a_pool(server)

        bodies = [pool.exchange(request(b"%d" % number)).body for number in range(5)]

        assert bodies == [b"0", b"1", b"2", b"3", b"4"]
        assert server.connections == 1


def test_nothing_is_connected_before_it_is_needed() -> None:
    with serving(echo) as server:
        a_pool(server)

        assert server.connections == 0


def test_a_kept_connection_that_the_server_closed_is_replaced_at_once() -> None:
    with serving(echo) as server:
        pool = a_pool(server)
        pool.exchange(request())
        server.close_connections()

        assert pool.exchange(request(b"again")).body == b"again"
        assert server.connections == 2


def test_a_kept_connection_that_closes_instead_of_answering_is_replaced_at_once() -> None:
    def only_once(received: Received) -> bytes | None:
        is_second = [one.connection for one in server.received].count(received.connection) > 1
        return None if is_second else http(received.body)

    with serving(only_once) as server:
        pool = a_pool(server)

        assert [pool.exchange(request(body)).body for body in (b"one", b"two", b"three")] == [
            b"one",
            b"two",
            b"three",
        ]
        assert [one.connection for one in server.received] == [1, 1, 2, 2, 3]


def test_a_new_connection_that_closes_instead_of_answering_is_not_tried_again() -> None:
    with serving(lambda received: None) as server:
        with pytest.raises(NoAnswer):
            a_pool(server).exchange(request())

        assert len(server.received) == 1


def test_what_breaks_off_within_its_answer_is_not_sent_again() -> None:
    def half_the_second_time(received: Received) -> bytes:
        return http(b"all") if len(server.received) == 1 else LastWords(http(b"x" * 100)[:-50])

    with serving(half_the_second_time) as server:
        pool = a_pool(server)
        pool.exchange(request())

        with pytest.raises(NoAnswer):
            pool.exchange(request())

        assert len(server.received) == 2


def test_an_answer_that_does_not_come_in_time_is_none_and_its_connection_is_given_up() -> None:
    def never(received: Received) -> None:
        server.ended.wait()

    with serving(never) as server:
        pool = a_pool(server, read_seconds=0.05)

        with pytest.raises(NoAnswer):
            pool.exchange(request())

        assert not pool._kept


def test_a_connection_that_the_server_wants_closed_is_not_kept() -> None:
    with serving(lambda received: http(received.body, Connection="close")) as server:
        pool = a_pool(server)

        for _ in range(2):
            pool.exchange(request())

        assert server.connections == 2


def test_a_connection_that_was_idle_while_the_process_was_frozen_is_not_used(clock: FakeClock) -> None:
    with serving(echo) as server:
        pool = a_pool(server, clock)
        pool.exchange(request())
        clock.advance(seconds=MAX_IDLE.total_seconds())
        pool.exchange(request())
        assert server.connections == 1

        clock.advance(seconds=MAX_IDLE.total_seconds() + 1)
        pool.exchange(request())

        assert server.connections == 2


def test_fifty_threads_at_once_each_get_their_own_answer() -> None:
    everybody = Barrier(50)

    def when_all_have_asked(received: Received) -> bytes:
        if received.connection <= 50 and received.body.endswith(b"first"):
            everybody.wait(30)
        return http(received.body)

    with serving(when_all_have_asked) as server, ThreadPoolExecutor(50) as threads:
        pool = a_pool(server)
        sent = [b"%d first" % number for number in range(50)]

        answers = list(threads.map(lambda body: pool.exchange(request(body)).body, sent))
        later = list(threads.map(lambda body: pool.exchange(request(body)).body, [b"later"] * 200))

        assert answers == sent
        assert set(later) == {b"later"}
        assert len(pool._kept) <= MAX_KEPT


def test_a_pool_that_nobody_has_any_more_leaves_no_connection_behind() -> None:
    with serving(echo) as server:
        pool = a_pool(server)
        pool.exchange(request())
        del pool

        server.await_goodbyes()


def test_a_server_that_is_not_there_gives_no_answer() -> None:
    with socket.create_server((HOST, 0)) as probe:
        port = probe.getsockname()[1]

    with pytest.raises(NoAnswer):
        Pool(Server.at(f"http://{HOST}:{port}")).exchange(request())


def test_a_secure_server_is_reached_when_its_certificate_is_trusted(tmp_path: Path) -> None:
    with serving(echo, tls=a_server_context(tmp_path)) as server:
        pool = Pool(Server.at(server.url), ca_file=str(tmp_path / "certificate"))

        bodies = [pool.exchange(request(body)).body for body in (b"one", b"two")]

        assert bodies == [b"one", b"two"]
        assert server.connections == 1


def test_a_secure_server_that_nobody_vouches_for_is_sent_nothing(tmp_path: Path) -> None:
    with serving(echo, tls=a_server_context(tmp_path)) as server:
        with pytest.raises(NoAnswer):
            a_pool(server).exchange(request(b"secret"))

        assert server.received == []


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("http://127.0.0.1:4566", Server("127.0.0.1", 4566, False, "127.0.0.1:4566", "/")),
        ("http://localhost/", Server("localhost", 80, False, "localhost", "/")),
        ("https://Example.com:443/a?b=c", Server("example.com", 443, True, "example.com", "/a?b=c")),
        ("https://[::1]:8443", Server("::1", 8443, True, "[::1]:8443", "/")),
    ],
)
def test_an_address_says_where_the_server_is(url: str, server: Server) -> None:
    assert Server.at(url) == server


@pytest.mark.parametrize("url", ["", "dynamodb", "ftp://example.com", "http://"])
def test_what_is_no_address_of_a_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        Server.at(url)


def a_server_context(folder: Path) -> SSLContext:
    """With a certificate that only vouches for itself, kept in the folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a test")])
    alternatives = x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOST))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=365 * 100))
        .add_extension(alternatives, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "certificate").write_bytes(certificate.public_bytes(pem))
    (folder / "key").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = SSLContext(PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate", folder / "key")
    return context
