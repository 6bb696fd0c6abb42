"""HTTP to a stack in the emulator, whose host names all lead to loopback."""

import json
import urllib.request
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import Any
from urllib.error import HTTPError

from forge.testing.world import modern_message
from forge.wire.http import JSON
from forge.wire.paths import RPC_PATH
from forge.wire.protocol import MODERN_VERSION


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Any


@dataclass(frozen=True, slots=True)
class Client:
    endpoint: str
    api_id: str
    key: str

    def send(self, path: str, body: object = None, *, method: str = "POST", **headers: str) -> Answer:
        port = self.endpoint.rsplit(":", 1)[1]
        request = urllib.request.Request(
            f"{self.endpoint}{path}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={
                "host": f"{self.api_id}.execute-api.localhost:{port}",
                "authorization": f"Bearer {self.key}",
                "content-type": "application/json",
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return Answer(response.status, _content(response))
        except HTTPError as refused:
            return Answer(refused.code, json.loads(refused.read() or b"null"))

    def rest(self, tool: str, arguments: object = None, *, surface: str = "mcp", **headers: str) -> Answer:
        return self.send(f"/api/{surface}/{tool}", arguments or {}, **headers)

    def modern(self, method: str, **params: Any) -> Answer:
        headers = {"mcp_protocol_version": MODERN_VERSION, "mcp_method": method}
        if "name" in params:
            headers["mcp_name"] = params["name"]
        return self.send(RPC_PATH, modern_message(method, params), **headers)

    def legacy(self, method: str, **params: Any) -> Answer:
        return self.send(RPC_PATH, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def _content(response: HTTPResponse) -> Any:
    body = response.read() or b"null"
    return json.loads(body) if response.headers.get_content_type() == JSON else body.decode()
