"""What a URL asks for, by its own words."""

from contextlib import suppress
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge.outbound.addresses import Disallowed, Exceptions, is_open, is_public, named_host
from forge.outbound.targets import Target, target_of


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://example.com", Target("https", "example.com", 443, "/")),
        ("HTTP://Example.COM./a?b=c#d", Target("http", "example.com", 80, "/a?b=c")),
        ("https://bücher.example.com/ä", Target("https", "xn--bcher-kva.example.com", 443, "/%C3%A4")),
        ("http://8.8.8.8:8080/", Target("http", "8.8.8.8", 8080, "/")),
        ("http://[2606:4700::1111]/", Target("http", "2606:4700::1111", 80, "/")),
        ("https://a_b.example.com/%2F?x=%20", Target("https", "a_b.example.com", 443, "/%2F?x=%20")),
    ],
)
def test_a_public_url_is_taken_apart(url: str, target: Target) -> None:
    assert target_of(url) == target


def test_the_host_header_names_a_port_only_where_it_is_not_the_usual_one() -> None:
    assert target_of("https://example.com:443/").authority == "example.com"
    assert target_of("https://[2606:4700::1111]:8443/").authority == "[2606:4700::1111]:8443"


@pytest.mark.parametrize(
    "url",
    [
        *(
            "ftp://example.com/",
            "file:///etc/passwd",
            "gopher://example.com/",
            "//example.com",
            "example.com",
        ),
        *("https://", "https:///path", "https://example.com:", "https://example.com:22/", "http://a.com:0/"),
        *("https://example.com:99999/", "https://example.com:+80/", "https://example.com:８０/"),
        *(
            "https://a b.com/",
            "https://example.com/\r\nHost: x",
            "\thttps://example.com",
            "https://ex\x00.com",
        ),
        *(
            "https://-a.example.com",
            "https://a..example.com",
            "https://[::1",
            "https://[v1.a]/",
            "https://[]/",
        ),
        *("https://[2606:4700::1111]x/", f"https://{'a' * 64}.com/", f"https://{'a.' * 127}com/"),
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(Disallowed):
        target_of(url)


@pytest.mark.parametrize(
    "text",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254"),
        *("172.16.0.1", "172.31.255.255", "192.0.0.9", "192.0.2.1", "192.88.99.1", "192.168.1.1"),
        *("198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1"),
        *("2001::1", "2001:10::1", "2001:db8::1", "2002:808:808::1", "3fff::1", "5f00::1"),
        *("fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "4000::1"),
    ],
)
def test_special_addresses_are_not_everybodys(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"])
def test_ordinary_addresses_are(text: str) -> None:
    assert is_public(ip_address(text))


def test_exceptions_open_a_named_host_or_this_machine_but_never_the_credentials_of_a_cloud() -> None:
    named, local = Exceptions(frozenset({"hooks.corp"})), Exceptions(loopback=True)

    assert is_open(ip_address("10.0.0.1"), "hooks.corp", named)
    assert not is_open(ip_address("10.0.0.1"), "other.corp", named)
    assert not is_open(ip_address("169.254.169.254"), "hooks.corp", named)
    assert is_open(ip_address("127.0.0.1"), "localhost", local)
    assert not is_open(ip_address("10.0.0.1"), "localhost", local)


@pytest.mark.parametrize(
    "text",
    [
        *("127.0.0.1", "127.9.9.9", "0.0.0.0", "0.0.0.1", "169.254.169.254", "169.254.170.2", "224.0.0.1"),
        *("100.100.100.200", "192.0.0.192", "::1", "::", "fe80::1", "fd00:ec2::254", "fd00:ec2::23"),
        *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::a9fe:a9fe"),
        *("2002:7f00:1::", "2001:0:7f00:1::", "fe80::1%eth0", "fd20:ce::254"),
    ],
)
def test_no_name_opens_this_machine_its_link_or_the_credentials_of_a_cloud(text: str) -> None:
    address = ip_address(text)
    named = Exceptions(frozenset({"hooks.corp", text}))

    assert not is_open(address, "hooks.corp", named)
    assert not is_open(address, text, named)
    with pytest.raises(Disallowed):
        named_host(text, own_machine=False)


def test_at_home_this_machine_may_be_named_and_the_credentials_of_a_cloud_may_not() -> None:
    for here in ("localhost", "127.0.0.1", "[::1]", "::1"):
        assert named_host(here, own_machine=True) in ("localhost", "127.0.0.1", "::1")
        with pytest.raises(Disallowed):
            named_host(here, own_machine=False)
    with pytest.raises(Disallowed):
        named_host("169.254.169.254", own_machine=True)


@pytest.mark.parametrize(
    ("said", "host"), [(" CI.Internal. ", "ci.internal"), ("10.0.0.7", "10.0.0.7"), ("[FD00::7]", "fd00::7")]
)
def test_a_named_host_is_compared_as_it_is_asked(said: str, host: str) -> None:
    assert named_host(said, own_machine=False) == host
    shown = f"[{host}]" if ":" in host else host
    assert target_of(f"http://{shown}/", allow=Exceptions(frozenset({host}))).host == host


ODD = st.sampled_from([*"[]:%@/?#.-_0aß℀\ud800", "//", "::1", "fe80::1", "127.0.0.1", "xn--"])


@given(st.lists(ODD, max_size=6).map("".join))
def test_whatever_is_no_url_is_refused_and_never_raised(text: str) -> None:
    """Neither where it is given nor where a redirect leads to it."""
    for ask in (
        lambda: target_of(f"http://{text}"),
        lambda: target_of("http://example.com/").follow(text),
        lambda: named_host(text, own_machine=False),
    ):
        with suppress(Disallowed):
            ask()


def test_a_named_host_may_have_a_private_name() -> None:
    assert target_of("http://hooks.corp/", allow=Exceptions(frozenset({"hooks.corp"}))).host == "hooks.corp"
    assert target_of("http://localhost:3000/", allow=Exceptions(loopback=True)).port == 3000
