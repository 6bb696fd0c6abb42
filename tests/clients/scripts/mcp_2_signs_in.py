"""The official Python SDK, second edition, with its own OAuth client and a callback on loopback."""

import asyncio
import os
import subprocess
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

CALLED = []


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        CALLED.append(parse_qs(urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *said):
        pass


class Storage:
    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, info):
        self.client = info


async def main():
    server = HTTPServer(("127.0.0.1", 0), Callback)
    opened = []

    async def show(url):
        opened.append(subprocess.Popen([os.environ["BROWSER"], url]))

    async def wait():
        await asyncio.to_thread(server.handle_request)
        return AuthorizationCodeResult(**{name: values[0] for name, values in CALLED[-1].items()})

    metadata = OAuthClientMetadata(
        client_name="Python SDK", redirect_uris=[f"http://127.0.0.1:{server.server_port}/callback"]
    )
    provider = OAuthClientProvider(os.environ["FORGE_URL"], metadata, Storage(), show, wait)
    async with (
        httpx2.AsyncClient(auth=provider, timeout=30) as http,
        Client(streamable_http_client(os.environ["FORGE_URL"], http_client=http)) as client,
    ):
        called = await client.call_tool("issues_create", {"title": os.environ["FORGE_TITLE"]})
    assert not called.is_error, called
    assert opened[0].wait() == 0


asyncio.run(main())
