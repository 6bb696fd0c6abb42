"""Processes: starting the `forge` command, waiting for what it does, and looking at what it holds."""

import os
import ssl
import subprocess
import sys
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from time import sleep
from typing import NamedTuple

FORGE = str(Path(sys.executable).with_name("forge"))
HOST = "127.0.0.1"
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of this machine: they trust nobody's certificate, and loading all takes longer than a call."""

LONGEST_COMMAND_SECONDS = 60

_TRIES = 600
_PAUSE_SECONDS = 0.05
_FOREIGN = ("AWS_", "FORGE_", "PORT", "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "COLUMNS")


class Bound(NamedTuple):
    """A socket that others can reach."""

    address: IPv4Address | IPv6Address
    port: int


def started(*words: str, **environment: str) -> subprocess.Popen[str]:
    """The command, which goes on beside the tests."""
    return subprocess.Popen(
        [FORGE, *words],
        env=an_environment(**environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def forge(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [FORGE, *words],
        env=an_environment(**environment),
        capture_output=True,
        text=True,
        timeout=LONGEST_COMMAND_SECONDS,
        check=False,
    )


def an_environment(**more: str) -> dict[str, str]:
    """This one, without anything that the command would take for a wish of its user."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)} | more


def eventually(is_so: Callable[[], bool], what: str) -> None:
    """Look again and again until it is so, but not forever."""
    for _ in range(_TRIES):
        if is_so():
            return
        sleep(_PAUSE_SECONDS)
    raise AssertionError(f"It never came to be: {what}")


def children_of(process_id: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        state = _state_of(int(folder.name))
        if state is not None and state.parent == process_id:
            found.append(int(folder.name))
    return found


def is_running(process_id: int) -> bool:
    """Whether it still does anything: one that ended and that nobody asked about does not."""
    state = _state_of(process_id)
    return state is not None and state.letter not in "ZX"


def bound_sockets(process_id: int) -> list[Bound]:
    """Everything this process listens on, and where it waits for datagrams."""
    inodes = _inodes_of(process_id)
    found = []
    for table, waiting in (("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")):
        for row in Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
            _, local, _, state, *_, inode = row.split()[:10]
            if inode in inodes and state == waiting:
                found.append(_bound(local))
    return found


class _State(NamedTuple):
    letter: str
    parent: int


def _state_of(process_id: int) -> _State | None:
    try:
        text = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The command's name stands in brackets and may hold anything.
    letter, parent, *_ = text.rpartition(")")[2].split()
    return _State(letter, int(parent))


def _inodes_of(process_id: int) -> set[str]:
    targets = []
    for link in Path(f"/proc/{process_id}/fd").iterdir():
        try:
            targets.append(str(link.readlink()))
        except FileNotFoundError:
            continue
    return {target[len("socket:[") : -1] for target in targets if target.startswith("socket:[")}


def _bound(local: str) -> Bound:
    """`0100007F:4A3A`: words of four bytes, each in the machine's order."""
    address, _, port = local.partition(":")
    raw = bytes.fromhex(address)
    words = [raw[start : start + 4] for start in range(0, len(raw), 4)]
    if sys.byteorder == "little":
        words = [word[::-1] for word in words]
    return Bound(ip_address(b"".join(words)), int(port, 16))
