"""A site that says what a client is, and the deployment that asks it."""

import json
from socket import socket
from typing import Any, NamedTuple

from tests.unit.oauth.desk import Desk
from tests.unit.oauth.programs import Program
from tests.unit.store.local_server import Received, http

URL = "https://client.example/oauth/client.json"
PUBLIC, PRIVATE = "93.184.215.14", "10.0.0.7"


class NoTls:
    """The line of a test is plain: certificates are the way out's own tests'."""

    def wrap_socket(self, plain: socket, *, server_hostname: str) -> socket:
        return plain


class Site(NamedTuple):
    desk: Desk
    asked: list[Received]
    says: dict[str, bytes]
    """By path, what is answered; for who is asked again, it may have changed."""
    names: dict[str, list[str]]
    """By name, the addresses that it has when it is looked up next; the last one stays."""

    def tells(self, **changes: Any) -> None:
        told = {
            "client_id": URL,
            "client_name": "Claude Code",
            "redirect_uris": ["http://localhost/callback"],
        }
        kept = {name: one for name, one in (told | changes).items() if one is not None}
        self.says["/oauth/client.json"] = http(json.dumps(kept).encode(), content_type="application/json")

    def program(self) -> Program:
        program = Program(self.desk)
        program.id, program.redirect_uri = URL, "http://localhost:5123/callback"
        return program
