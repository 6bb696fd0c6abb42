"""What is printed for people to paste: every snippet is what its client reads."""

import json
import shlex
import tomllib

import pytest

from forge.cli.snippets import client_snippets

BASE_URL = "http://127.0.0.1:8787"
URL = f"{BASE_URL}/api/mcp/rpc"
KEY = "forge_sk_an-example_of-a-key"


def snippet(heading: str) -> str:
    """The indented lines below the heading of a client."""
    (section,) = [part for part in client_snippets(BASE_URL, KEY).split("\n\n") if part.startswith(heading)]
    return section.split("\n", 1)[1]


def test_the_first_line_says_where_it_is() -> None:
    assert client_snippets(BASE_URL, KEY).splitlines()[0].split()[-1] == BASE_URL


@pytest.mark.parametrize("heading", ["Claude Code", "Codex", "Cursor", "curl"])
def test_every_client_gets_the_key(heading: str) -> None:
    (section,) = [part for part in client_snippets(BASE_URL, KEY).split("\n\n") if part.startswith(heading)]

    assert KEY in section


def test_claude_code_gets_one_command() -> None:
    assert shlex.split(snippet("Claude Code")) == [
        *("claude", "mcp", "add", "--transport", "http", "forge", URL),
        *("--header", f"Authorization: Bearer {KEY}"),
    ]


def test_codex_gets_toml_that_names_the_variable_with_the_key() -> None:
    server = tomllib.loads(snippet("Codex"))["mcp_servers"]["forge"]

    assert server["url"] == URL
    assert f"export {server['bearer_token_env_var']}={KEY}" in client_snippets(BASE_URL, KEY)


def test_cursor_gets_json() -> None:
    assert json.loads(snippet("Cursor")) == {
        "mcpServers": {"forge": {"url": URL, "headers": {"Authorization": f"Bearer {KEY}"}}}
    }


def test_curl_calls_a_tool() -> None:
    assert shlex.split(snippet("curl")) == [
        *("curl", "-s", f"{BASE_URL}/api/mcp/agents.me", "-X", "POST"),
        *("-H", f"Authorization: Bearer {KEY}"),
    ]
