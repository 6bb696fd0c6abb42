"""Which adapter a word of the owner means."""

import shlex

from forge.cli.calls import BadArguments
from forge.cli.worker.agents.acp import acp_agent
from forge.cli.worker.agents.claude import claude_agent
from forge.cli.worker.agents.codex import codex_agent
from forge.cli.worker.agents.command import command_agent
from forge.cli.worker.agents.protocol import Agent

_GEMINI = frozenset({"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"})
_OPENCODE = frozenset(
    {
        *("OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT"),
        *("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"),
    }
)


def agent_of(typed: str) -> Agent:
    """`claude`, `codex`, `gemini`, `opencode`: each may have `:<path>`; `acp:<command>`, `cmd:<command>`."""
    kind, _, command = typed.partition(":")
    words = shlex.split(command)
    match kind:
        case "claude":
            return claude_agent(*words[:1])
        case "codex":
            return codex_agent(words[0], tuple(words[1:])) if words else codex_agent()
        case "gemini":
            return acp_agent(shlex.join([*(words[:1] or [kind]), "--acp"]), name=kind, variables=_GEMINI)
        case "opencode":
            return acp_agent(shlex.join([*(words[:1] or [kind]), "acp"]), name=kind, variables=_OPENCODE)
        case "acp" if words:
            return acp_agent(command)
        case "cmd" if words:
            return command_agent(command)
    raise BadArguments(
        f"There is no agent {typed!r}. Known: claude, codex, gemini, opencode, acp:<command>, cmd:<command>."
    )


PROVIDERS = {"claude": "CLAUDE", "codex": "CODEX"}
"""As Forge calls them; all others are CUSTOM."""
