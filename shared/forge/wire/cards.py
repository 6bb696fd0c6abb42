"""What others find of the server without connecting: its card, and the list that leads to it."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from forge import __version__
from forge.errors import NotFound
from forge.jsontext import encode
from forge.wire.http import Request, Response, error_response, json_response
from forge.wire.identity import SERVER_NAME
from forge.wire.paths import MCP_PATH, RPC_PATH, SERVER_CARD_PATH
from forge.wire.protocol import LEGACY_VERSIONS, MODERN_VERSION

TITLE = "Forge"
DESCRIPTION = "Issues, runs, plans and decisions that coding agents and people share."
_SCHEMAS = "https://static.modelcontextprotocol.io/schemas"
_CARD_TYPE = "application/mcp-server-card+json"
_LIST_TYPE = "application/ai-catalog+json"
_FOR_ANYBODY = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, HEAD, OPTIONS",
    "access-control-allow-headers": "*",
    "cache-control": "public, max-age=3600",
}


def serve(request: Request, public_url: str, *, lets_sign_in: bool = False) -> Response:
    """Either document, or 404 where nobody said how the server is reached."""
    if request.method == "OPTIONS":
        return Response(204, "", _FOR_ANYBODY)
    if request.method not in ("GET", "HEAD"):
        refused = error_response(NotFound(f"Read {request.path} with GET."), request.id)
        return json_response(405, refused.body, {"allow": "GET, HEAD, OPTIONS"})
    host = urlsplit(public_url).hostname
    if host is None:
        raise NotFound("This server does not know its own address.", hint="Set PublicUrl of the stack.")
    base_url, is_card = public_url.rstrip("/"), request.path == SERVER_CARD_PATH
    card = server_card(base_url, host, lets_sign_in=lets_sign_in)
    body = encode(card if is_card else ai_catalog(base_url, host))
    tag = f'"{sha256(body.encode()).hexdigest()[:32]}"'
    told = {**_FOR_ANYBODY, "etag": tag, "content-type": _CARD_TYPE if is_card else _LIST_TYPE}
    if tag in request.headers.get("if-none-match", ""):
        return Response(304, "", told)
    return Response(200, "" if request.method == "HEAD" else body, told)


def server_card(base_url: str, host: str, *, lets_sign_in: bool) -> dict[str, Any]:
    """Whatever `server/discover` says, too, it says alike."""
    versions = {"supportedProtocolVersions": [MODERN_VERSION, *sorted(LEGACY_VERSIONS, reverse=True)]}
    remotes = [_remote_to_sign_in(base_url), _remote(base_url)] if lets_sign_in else [_remote(base_url)]
    return {
        "$schema": f"{_SCHEMAS}/v1/server-card.schema.json",
        "name": f"{'.'.join(reversed(host.split('.')))}/{SERVER_NAME}",
        **_described(),
        "websiteUrl": f"{base_url}/docs",
        "remotes": [one | versions for one in remotes],
    }


def ai_catalog(base_url: str, host: str) -> dict[str, Any]:
    entry = {
        "identifier": f"urn:air:{host}:mcp:{SERVER_NAME}",
        "type": _CARD_TYPE,
        "url": f"{base_url}{SERVER_CARD_PATH}",
    }
    return {"specVersion": "1.0", "entries": [entry]}


def registry_entry(name: str) -> dict[str, Any]:
    """For a registry: every team has a Forge of its own, so its host is asked for."""
    host = {"description": "The host of your Forge, e.g. forge.example.com.", "isRequired": True}
    return {
        "$schema": f"{_SCHEMAS}/2025-12-11/server.schema.json",
        "name": name,
        **_described(),
        # Whoever can sign in has nothing to paste: so that comes first.
        "remotes": [
            one | {"variables": {"host": host}}
            for one in (_remote_to_sign_in("https://{host}"), _remote("https://{host}"))
        ],
    }


def _described() -> dict[str, str]:
    return {"title": TITLE, "description": DESCRIPTION, "version": __version__}


def _remote_to_sign_in(base_url: str) -> dict[str, Any]:
    return {"type": "streamable-http", "url": f"{base_url}{MCP_PATH}"}


def _remote(base_url: str) -> dict[str, Any]:
    token = {"description": "A key of Forge: forge_sk_…", "isRequired": True, "isSecret": True}
    header: Mapping[str, Any] = {
        "name": "Authorization",
        "description": "The key of an agent, or a person's.",
        "isRequired": True,
        "isSecret": True,
        "value": "Bearer {token}",
        "variables": {"token": token},
    }
    return {"type": "streamable-http", "url": f"{base_url}{RPC_PATH}", "headers": [header]}
