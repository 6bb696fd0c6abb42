"""Nothing private is ever connected to, however it is spelt, and whatever names lead to."""

from collections.abc import Callable
from socket import create_connection, socket

import pytest

from forge.outbound.addresses import Disallowed, Exceptions
from forge.outbound.orders import AnswerLimits, Order
from forge.outbound.outbound import Outbound
from tests.unit.outbound.sites import HTML, Site

PUBLIC = "93.184.215.14"


class Names:
    """A name service that is asked often, and need not say the same each time."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, name: str, port: int) -> list[str]:
        self.asked.append(name)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


def reaching(site: Site, names: Callable[[str, int], list[str]], connected: list[str]) -> Outbound:
    """Every connection ends at the site, whatever address it is to."""

    def connect(address: str, port: int, *, seconds: float) -> socket:
        connected.append(address)
        return create_connection(("127.0.0.1", site.port), timeout=seconds)

    return Outbound(resolve=names, connect=connect)


@pytest.mark.parametrize(
    "host",
    [
        *(
            "127.0.0.1",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
        ),
        *("0", "0.0.0.0", "0x", "127.0.0.1.", "１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1", "010.0.0.1"),
        *("10.0.0.8", "172.16.0.1", "192.168.0.1", "100.100.100.200", "169.254.169.254", "169.254.170.2"),
        *("192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "0251.0376.0251.0376", "2852039166"),
        *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[fd00:ec2::254]"),
        *("[fe80::1]", "[fe80::1%25eth0]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]", "[2001:0:7f00:1::]"),
        *("localhost", "LOCALHOST", "localhost.", "ⓛocalhost", "a.localhost", "localhost.localdomain"),
        *(
            "metadata.google.internal",
            "api.default.svc",
            "api.default.svc.cluster.local",
            "db.internal",
            "printer.local",
            "nas.lan",
            "intranet",
            "router.home.arpa",
        ),
        *("user@127.0.0.1", "example.com@127.0.0.1", "127.0.0.1%2f.example.com", "127.0.0.1%00.example.com"),
        *("127.0.0.1\\@example.com", "example.com\\@127.0.0.1", "%31%32%37.0.0.1", "127.0.0.1 .example.com"),
        *("localhost%E3%80%82", "127.0.0.1:80@example.com", "[::1]@example.com", "256.1.1.1", "1.2.3"),
    ],
)
def test_a_private_host_is_refused_without_a_connection_or_a_question(host: str, site: Site) -> None:
    names, connected = Names([PUBLIC]), list[str]()
    web = reaching(site, names, connected)

    with pytest.raises(Disallowed):
        web.send(Order(f"http://{host}/"))

    assert (names.asked, connected, site.connections) == ([], [], 0)


@pytest.mark.parametrize(
    "answers", [["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1", PUBLIC], ["fe80::1%eth0"], ["::ffff:127.0.0.1"]]
)
def test_a_name_is_refused_when_any_of_its_addresses_is_private(answers: list[str], site: Site) -> None:
    connected: list[str] = []
    web = reaching(site, Names(answers), connected)

    with pytest.raises(Disallowed):
        web.send(Order("http://rebind.example.com/"))

    assert (connected, site.connections) == ([], 0)


def test_a_name_that_leads_elsewhere_the_second_time_is_never_asked_a_second_time(site: Site) -> None:
    site.pages["/"] = (200, HTML, b"hello")
    names, connected = Names([PUBLIC], ["127.0.0.1"]), list[str]()

    reply = reaching(site, names, connected).send(Order("http://rebind.example.com/"))

    assert reply.body == b"hello"
    assert (names.asked, connected) == (["rebind.example.com"], [PUBLIC])
    assert site.asked[0][2]["host"] == "rebind.example.com"


@pytest.mark.parametrize(
    "location",
    [
        *(
            "http://127.0.0.1/",
            "//169.254.169.254/latest/meta-data/",
            "http://localhost:8080/",
            "file:///etc/passwd",
        ),
        *("http://2130706433/", "http://user@example.com/", "http://[::1]/"),
    ],
)
def test_a_redirect_into_the_private_is_not_followed(location: str, site: Site) -> None:
    site.pages["/"] = (302, {"Location": location}, b"")
    connected: list[str] = []
    web = reaching(site, Names([PUBLIC]), connected)

    with pytest.raises(Disallowed):
        web.send(Order("http://example.com/"), limits=AnswerLimits(redirects=5))

    assert (connected, site.connections) == ([PUBLIC], 1)


def test_a_redirect_is_looked_up_and_judged_anew(site: Site) -> None:
    site.pages["/"] = (302, {"Location": "/again"}, b"")
    connected: list[str] = []
    web = reaching(site, Names([PUBLIC], ["127.0.0.1"]), connected)

    with pytest.raises(Disallowed):
        web.send(Order("http://rebind.example.com/"), limits=AnswerLimits(redirects=5))

    assert connected == [PUBLIC]


def test_an_exception_opens_this_machine_where_it_is_made(site: Site) -> None:
    site.pages["/hook"] = (204, {}, b"")
    order = Order(f"http://127.0.0.1:{site.port}/hook", method="POST", body=b"{}")

    reply = Outbound().send(order, allow=Exceptions(loopback=True))

    assert reply.status == 204
    assert site.asked[0][0::3] == ("POST", b"{}")
    with pytest.raises(Disallowed):
        Outbound().send(order)
