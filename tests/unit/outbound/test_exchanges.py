"""A request has a time, a size and a number of redirects, and secure ones are for the name that was asked."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from socket import create_server, socket, socketpair
from ssl import PROTOCOL_TLS_SERVER, SSLContext, SSLSocket, create_default_context
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from forge.clock import system_now
from forge.outbound.orders import AnswerLimits, Order, Unreachable
from forge.outbound.outbound import Outbound
from forge.testing.web import Web
from tests.unit.outbound.sites import HTML, Site, running_site


def on(site: Site, host: str = "example.com") -> Outbound:
    web = Web()
    web.hosts[host] = site.port
    return web.outbound


def test_five_redirects_are_followed_and_a_sixth_is_not(site: Site) -> None:
    for number in range(6):
        site.pages[f"/{number}"] = (302, {"Location": f"{number + 1}"}, b"")
    site.pages["/6"] = (200, HTML, b"here")
    limits = AnswerLimits(redirects=5)

    reply = on(site).send(Order("http://example.com/1"), limits=limits)
    with pytest.raises(Unreachable):
        on(site).send(Order("http://example.com/0"), limits=limits)

    assert (reply.url, reply.body) == ("http://example.com/6", b"here")


def test_without_room_for_redirects_one_is_the_answer(site: Site) -> None:
    site.pages["/"] = (307, {"Location": "/other"}, b"")

    assert on(site).send(Order("http://example.com/")).status == 307
    assert len(site.asked) == 1


def test_a_redirect_elsewhere_gets_neither_the_body_nor_what_the_first_was_told(site: Site) -> None:
    site.pages["/"] = (302, {"Location": "http://example.org/next"}, b"")
    site.pages["/next"] = (200, HTML, b"")
    web = Web()
    web.hosts |= {"example.com": site.port, "example.org": site.port}
    told = {"Authorization": "secret", "Accept": "text/html", "host": "evil.example", "Content-Length": "9"}
    order = Order("http://example.com/", "POST", told, b"{}")

    web.outbound.send(order, limits=AnswerLimits(redirects=1))

    (method, _, first, body), (later_method, _, later, later_body) = site.asked
    assert (method, first["host"], first["authorization"], body) == ("POST", "example.com", "secret", b"{}")
    assert (later_method, later["host"], later_body) == ("GET", "example.org", b"")
    assert ("authorization" in later, later["accept"]) == (False, "text/html")


def test_only_the_beginning_of_a_long_answer_is_read(site: Site) -> None:
    site.pages["/"] = (200, HTML, b"x" * 1_000_000)

    reply = on(site).send(Order("http://example.com/"), limits=AnswerLimits(bytes=1_000))

    assert reply.body == b"x" * 1_000


def test_no_proxy_is_asked_whatever_the_environment_says(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/"] = (200, HTML, b"direct")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    assert on(site).send(Order("http://example.com/")).body == b"direct"


class Slow:
    """A server that says a letter for each second of a clock that it moves itself, and has no end."""

    def __init__(self) -> None:
        self.now = 0.0
        self.said = 0

    def clock(self) -> float:
        return self.now

    def connect(self, address: str, port: int, *, seconds: float) -> socket:
        ours, theirs = socketpair()

        def speak() -> None:
            with theirs, suppress(OSError):
                theirs.recv(1000)
                theirs.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
                while self.said < 1_000:
                    self.now += 1
                    self.said += 1
                    theirs.sendall(b"a")

        Thread(target=speak, daemon=True).start()
        return ours


def test_a_server_that_trickles_is_left_when_the_time_is_over() -> None:
    slow = Slow()
    web = Outbound(resolve=lambda name, port: ["93.184.215.14"], connect=slow.connect, clock=slow.clock)

    with pytest.raises(Unreachable):
        web.send(Order("http://example.com/"), limits=AnswerLimits(seconds=5))


def test_a_name_service_that_never_answers_takes_no_longer_than_all_of_it() -> None:
    asked, silent = socketpair()

    def resolve(name: str, port: int) -> list[str]:
        with silent:
            silent.recv(1)
        return []

    with pytest.raises(Unreachable):
        Outbound(resolve=resolve).send(Order("http://example.com/"), limits=AnswerLimits(seconds=0.05))
    asked.close()


def test_the_next_address_is_tried_when_one_is_not_there(site: Site) -> None:
    site.pages["/"] = (200, HTML, b"second")
    web = Web()
    web.hosts["example.com"] = site.port
    answers = ["2606:4700::1111", "93.184.215.14"]
    reach = Outbound(resolve=lambda name, port: web.resolve(name, port) and answers, connect=web.connect)

    assert reach.send(Order("http://example.com/")).body == b"second"


@pytest.mark.parametrize("said", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"])
def test_what_is_no_answer_is_none(said: bytes) -> None:
    with create_server(("127.0.0.1", 0)) as listener:
        web = Web()
        web.hosts["example.com"] = listener.getsockname()[1]

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(said)

        Thread(target=answer, daemon=True).start()

        if said.startswith(b"HTTP"):
            assert web.outbound.send(Order("http://example.com/")).body == b""
        else:
            with pytest.raises(Unreachable):
                web.outbound.send(Order("http://example.com/"))


def a_certificate(folder: Path, name: str) -> Path:
    """Good for this name, signed by itself; with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = system_now()
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = folder / f"{name}.pem"
    file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    return file


def test_a_secure_server_is_asked_by_name_and_must_prove_it(tmp_path: Path) -> None:
    file = a_certificate(tmp_path, "example.com")
    seen: list[str | None] = []
    serving = SSLContext(PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(file)

    def note(connection: SSLSocket, name: str | None, context: SSLContext) -> None:
        seen.append(name)

    serving.sni_callback = note  # type: ignore[assignment]  # the stubs take only objects that are both
    with running_site(serving) as site:
        site.pages["/"] = (200, HTML, b"secret")
        web = Web()
        web.hosts |= {"example.com": site.port, "example.org": site.port}

        def trusting() -> SSLContext:
            return create_default_context(cafile=str(file))

        trusted = Outbound(web.resolve, web.connect, trusting)
        reply = trusted.send(Order("https://example.com/"))
        with pytest.raises(Unreachable):
            trusted.send(Order("https://example.org/"))
        with pytest.raises(Unreachable):
            web.outbound.send(Order("https://example.com/"))

    assert reply.body == b"secret"
    assert seen == ["example.com", "example.org", "example.com"]
    assert len(site.asked) == 1
