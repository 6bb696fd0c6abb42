"""Claude Code in a terminal: at home in a folder of its own, with a model on loopback and one server."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.clients.model import Model
from tests.clients.screen import Screen, shown

PROJECT = "project"
_KEY = "sk-ant-api03-a-key-that-nobody-checks-000000000000000000000000"


@contextmanager
def claude_code(program: Path, home: Path, model: Model, *, url: str, key: str) -> Iterator[Screen]:
    with shown(
        command_of(program, home, url=url, key=key), environment(home, model), home / PROJECT
    ) as screen:
        screen.wait_for(r"\? for shortcuts|❯")
        yield screen


def command_of(program: Path, home: Path, *, url: str, key: str) -> list[str]:
    """`home` is made; what is in it stays, for whoever starts it again."""
    project = home / PROJECT
    project.mkdir(parents=True, exist_ok=True)
    (home / ".claude.json").write_text(json.dumps(settled(project)))
    server = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer {key}"}}
    servers = home / "servers.json"
    servers.write_text(json.dumps({"mcpServers": {"forge": server}}))
    own = ("--mcp-config", str(servers), "--strict-mcp-config")
    return [str(program), *own, "--allowedTools", "mcp__forge__*"]


def environment(home: Path, model: Model) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ANTHROPIC", "CLAUDE", "FORGE"))
    }
    return {
        **kept,
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": _KEY,
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ENABLE_TOOL_SEARCH": "false",
        "NO_PROXY": "127.0.0.1",
    }


def settled(project: Path) -> dict[str, object]:
    """As after the first start: nothing is asked that has nothing to do with the server."""
    return {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
        "projects": {str(project): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }
