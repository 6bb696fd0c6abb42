"""Which hosts and addresses are everybody's: the rest is this machine, its network, or nowhere.

Pure. A host is judged by its own words first, and then by every address that its name leads to.
"""

import ipaddress
import re
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple

Address = IPv4Address | IPv6Address


class Disallowed(Exception):
    """Nothing may be sent there; the message says why, to whoever gave the address."""


class Exceptions(NamedTuple):
    """What may be asked although it is not everybody's: hosts that an operator named, or this machine.

    A named host leads into a private network, and never to this machine or to where clouds hand out
    credentials.
    """

    hosts: frozenset[str] = frozenset()
    loopback: bool = False


NOBODY_ELSE = Exceptions()

# Of the registries of special addresses, all but what is ordinary: the standard library's own judgement
# differs between releases of Python.
_SPECIAL = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        # Protocols, Teredo among them; documentation; 6to4.
        *("2001::/23", "2001:db8::/32", "3fff::/20", "2002::/16"),
    )
)
# All other addresses of version 6 are local, mapped, translated, multicast or not given out.
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")

# What no name opens: this machine, its own link, everybody at once, and where clouds hand out credentials.
_NEVER_NAMED = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "255.255.255.255/32"),
        *("100.100.100.200/32", "192.0.0.192/32", "fd00:ec2::/32", "fd20:ce::/32"),
    )
)
_UNIQUE_LOCAL = ipaddress.ip_network("fc00::/7")

_PRIVATE_NAMES = frozenset(
    {
        "corp",
        "home",
        "home.arpa",
        "internal",
        "intranet",
        "lan",
        "local",
        "localdomain",
        "localhost",
        "private",
        "svc",
    }
)
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LIKE_A_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LONGEST_NAME = 253


def is_public(address: Address) -> bool:
    """Whether it is one server's on the public network, whoever looks."""
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    is_special = any(address in network for network in _SPECIAL if network.version == address.version)
    return address.is_global and not is_special


def is_open(address: Address, host: str, allow: Exceptions) -> bool:
    if is_public(address):
        return True
    if allow.loopback and address.is_loopback:
        return True
    return host in allow.hosts and may_be_named(address)


def may_be_named(address: Address) -> bool:
    """Whether a host that an operator names may lead there; of version 6, to none that stands for another."""
    if isinstance(address, IPv6Address) and address not in _UNIQUE_LOCAL:
        return is_public(address)
    return not any(address in network for network in _NEVER_NAMED if network.version == address.version)


def named_host(given: str, *, own_machine: bool) -> str:
    """A host that an operator names, as it is compared; Disallowed where it can't be one."""
    text = given.strip()
    address = literal_in(text)
    host = str(address) if address else host_of(text)
    found = address or literal_in(host)
    is_here = _is_local_name(host) or (found is not None and found.is_loopback)
    if not (own_machine and is_here) and (is_here or (found is not None and not may_be_named(found))):
        raise Disallowed("This machine and where clouds hand out credentials can't be named.")
    return host


def host_of(given: str) -> str:
    """A host as the name system or a socket takes it, or why it is none; in brackets or not."""
    if given.startswith("["):
        return str(_version_6(given.removeprefix("[").removesuffix("]")))
    host = _ascii(given).lower().removesuffix(".")
    if not _NAME.fullmatch(host) or len(host) > _LONGEST_NAME:
        raise Disallowed("This is no name of a host.")
    if _LIKE_A_NUMBER.fullmatch(host.rpartition(".")[2]):
        # Short, octal and hexadecimal forms mean an address to some, and another one to others.
        return str(_version_4(host))
    return host


def literal_in(host: str) -> Address | None:
    """The address that a host is, where it is not a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def require_public_by_name(host: str, allow: Exceptions) -> None:
    """Refuse what says by itself that it is not everybody's, without asking anybody."""
    address = literal_in(host)
    if address is not None:
        require_open([address], host, allow)
        return
    if (host in allow.hosts and not _is_local_name(host)) or (allow.loopback and host == "localhost"):
        return
    labels = host.split(".")
    endings = {".".join(labels[place:]) for place in range(len(labels))}
    if len(labels) == 1 or endings & _PRIVATE_NAMES:
        raise Disallowed("This is a name of a private network.")


def require_open(addresses: list[Address], host: str, allow: Exceptions) -> None:
    """Every one of them: of several, nobody can tell which one will be asked."""
    if not all(is_open(address, host, allow) for address in addresses):
        raise Disallowed("This leads to an address that is not public.")


def _is_local_name(host: str) -> bool:
    return host.rpartition(".")[2] == "localhost"


def _ascii(given: str) -> str:
    """Names of other scripts as they are looked up; digits and dots of any script become ours."""
    try:
        return given.encode("idna").decode("ascii")
    except UnicodeError:
        raise Disallowed("This is no name of a host.") from None


def _version_4(given: str) -> IPv4Address:
    try:
        return IPv4Address(given)
    except ValueError:
        raise Disallowed("An address has four decimal numbers without leading zeros.") from None


def _version_6(given: str) -> IPv6Address:
    try:
        return IPv6Address(given)
    except ValueError:
        raise Disallowed("This is no address.") from None
