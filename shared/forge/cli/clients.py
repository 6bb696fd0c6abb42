"""How clients learn where Forge is: one table for `make dev`, `forge connect`, a stack's outputs, the guide.

The key in a block is always an agent's; whoever keeps it in the environment calls it FORGE_AGENT_KEY, because
FORGE_KEY is a person's.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from forge.wire.paths import RPC_PATH

SERVER = "forge"
AGENT_KEY = "FORGE_AGENT_KEY"


class Form(NamedTuple):
    """What a block is, so that it can be parsed as that."""

    name: str
    file: str | None = None
    """Where it goes; None for a command."""


class Client(NamedTuple):
    label: str
    form: Form
    block: Callable[[str, str], str]
    """Of the address and the key, or of what stands for the key in a text of this client."""
    reference: str | None = None
    """What stands for the key in the environment; None where the client can't look there."""
    needs_environment: bool = False
    """Whether it takes a key only from there."""


def _headers(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def _json(*path: str, **members: Any) -> str:
    """A server's entry at its place in a file that may hold others."""
    entry: Mapping[str, Any] = {**members}
    for name in (SERVER, *reversed(path)):
        entry = {name: entry}
    return json.dumps(entry, ensure_ascii=False)


def _added(command: str) -> Callable[[str, str], str]:
    return lambda url, key: f'{command} {SERVER} {url} --header "Authorization: Bearer {key}"'


def _codex(url: str, key: str) -> str:
    return f'[mcp_servers.{SERVER}]\nurl = "{url}"\nbearer_token_env_var = "{AGENT_KEY}"'


def _through_mcp_remote(url: str, key: str) -> str:
    """The header is in the environment, because programs on Windows break arguments at spaces."""
    args = ["-y", "mcp-remote", url, "--transport", "http-only", "--header", "Authorization:${AUTHORIZATION}"]
    if url.startswith("http://"):
        args.append("--allow-http")
    return _json("mcpServers", command="npx", args=args, env={"AUTHORIZATION": f"Bearer {key}"})


def _hermes(url: str, key: str) -> str:
    return f'mcp_servers:\n  {SERVER}:\n    url: "{url}"\n    headers:\n      Authorization: "Bearer {key}"'


_SHELL, _IN_ENVIRONMENT = f"${AGENT_KEY}", f"${{env:{AGENT_KEY}}}"

CLIENTS: Mapping[str, Client] = {
    "claude": Client(
        "Claude Code", Form("shell"), _added("claude mcp add --transport http"), reference=_SHELL
    ),
    "codex": Client("Codex", Form("toml", "~/.codex/config.toml"), _codex, needs_environment=True),
    "cursor": Client(
        "Cursor",
        Form("json", ".cursor/mcp.json"),
        lambda url, key: _json("mcpServers", url=url, headers=_headers(key)),
        reference=_IN_ENVIRONMENT,
    ),
    "vscode": Client(
        "VS Code",
        Form("json", ".vscode/mcp.json"),
        lambda url, key: _json("servers", type="http", url=url, headers=_headers(key)),
        reference=_IN_ENVIRONMENT,
    ),
    "windsurf": Client(
        "Windsurf",
        Form("json", "~/.codeium/windsurf/mcp_config.json"),
        lambda url, key: _json("mcpServers", serverUrl=url, headers=_headers(key)),
        reference=_IN_ENVIRONMENT,
    ),
    "gemini": Client(
        "Gemini CLI",
        Form("json", "~/.gemini/settings.json"),
        lambda url, key: _json("mcpServers", httpUrl=url, headers=_headers(key)),
        reference=_SHELL,
    ),
    "zed": Client(
        "Zed",
        Form("json", "~/.config/zed/settings.json"),
        lambda url, key: _json("context_servers", url=url, headers=_headers(key)),
    ),
    "hermes": Client("Hermes", Form("yaml", "~/.hermes/config.yaml"), _hermes, reference=f"${{{AGENT_KEY}}}"),
    "mcp-remote": Client(
        "Claude Desktop and others that know only programs, through mcp-remote",
        Form("json", "claude_desktop_config.json"),
        _through_mcp_remote,
    ),
}


_MORE = """\
For another agent or client: .venv/bin/forge connect fixer --client vscode
The first task, and all clients: docs/guides/connect-your-agent.md"""


def rpc_url(base_url: str) -> str:
    return f"{base_url.rstrip('/')}{RPC_PATH}"


def shown(client: Client, base_url: str, key: str) -> str:
    """A block with where it goes above it."""
    notes = [client.form.file] if client.form.file else []
    notes += [f"then: export {AGENT_KEY}={key}"] if client.needs_environment else []
    where = f" ({'; '.join(notes)})" if notes else ""
    return f"{client.label}{where}\n{_indented(client.block(rpc_url(base_url), key))}"


def welcome(base_url: str, key: str) -> str:
    """What `forge dev` prints when it is ready. A person's key could claim issues, but not work on them."""
    blocks = [shown(CLIENTS[name], base_url, key) for name in ("claude", "codex", "cursor")]
    curl = f'curl -s {base_url}/api/mcp/agents.me -X POST -H "Authorization: Bearer {key}"'
    return "\n\n".join(
        [
            f"Forge is ready. Its agent `worker` connects like this to {base_url}",
            *blocks,
            f"curl\n{_indented(curl)}",
            f"{_MORE}\n",
        ]
    )


def way_in(console_url: str, owner_key: str, *, kept_in: str, is_seen_by_a_person: bool) -> str:
    """The console, and the key that it asks for: pasted from a terminal, but never kept with an output."""
    key = owner_key if is_seen_by_a_person else f"keys.owner of {kept_in}"
    return f"Console: {console_url}   Sign in with: {key}"


def _indented(block: str) -> str:
    return "\n".join(f"  {line}" for line in block.splitlines())
