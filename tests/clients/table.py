"""Which clients there are, what each needs, and how it is run."""

from typing import NamedTuple


class PythonClient(NamedTuple):
    """A script under its own interpreter; it prints the names of the tools and one answer."""

    name: str
    script: str
    requirements: tuple[str, ...]


class Terminal(NamedTuple):
    """A program of npm, called as its users call it; `{url}` and `{key}` are ours."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    expected: str
    """What its last command says when it is connected."""


PYTHON_CLIENTS = (
    PythonClient("mcp 1", "mcp_1.py", ("mcp==1.30.0",)),
    PythonClient("mcp 2", "mcp_2.py", ("mcp==2.3.0",)),
    PythonClient("fastmcp", "fastmcp_client.py", ("fastmcp==4.1.2",)),
    PythonClient("LangChain", "langchain_adapters.py", ("langchain-mcp-adapters==0.3.2",)),
    PythonClient("openai-agents", "openai_agents.py", ("openai-agents==0.24.0",)),
    PythonClient("pydantic-ai", "pydantic_ai_client.py", ("pydantic-ai-slim[mcp]==2.66.0",)),
    PythonClient("strands", "strands_client.py", ("strands-agents==1.62.0", "mcp==2.1.1")),
    PythonClient("google-adk", "google_adk_client.py", ("google-adk==2.13.0", "mcp==1.30.0")),
    PythonClient("LlamaIndex", "llama_index_client.py", ("llama-index-tools-mcp==0.6.0",)),
    PythonClient("mcp-use", "mcp_use_client.py", ("mcp-use==1.7.1",)),
    PythonClient("litellm", "litellm_client.py", ("litellm==1.106.2", "mcp==2.3.0")),
    PythonClient(
        "smolagents", "smolagents_client.py", ("smolagents==1.26.0", "mcpadapt==0.1.19", "mcp==1.30.0")
    ),
)

NODE_SCRIPTS = {
    "TypeScript SDK 1": "typescript_sdk_1.mjs",
    "TypeScript SDK 2": "typescript_sdk_2.mjs",
    "mcp-remote": "mcp_remote.mjs",
}

_HEADER = "Authorization: Bearer {key}"
_OF_USER = ("--scope", "user", "--transport", "http")
_INSPECT = ("mcp-inspector", "--cli", "{url}", "--transport", "http", "--header", _HEADER, "--method")

TERMINALS = (
    Terminal(
        "Inspector",
        ((*_INSPECT, "tools/list"), (*_INSPECT, "tools/call", "--tool-name", "agents_me")),
        '"profileKey": "worker"',
    ),
    Terminal(
        "Claude Code",
        (
            ("claude", "mcp", "add", "--transport", "http", "forge", "{url}", "--header", _HEADER),
            ("claude", "mcp", "list"),
        ),
        "Connected",
    ),
    Terminal(
        "Codex",
        (
            ("codex", "mcp", "add", "forge", "--url", "{url}", "--bearer-token-env-var", "FORGE_AGENT_KEY"),
            ("codex", "mcp", "list"),
        ),
        "enabled",
    ),
    Terminal(
        "Gemini CLI",
        (
            ("gemini", "mcp", "add", *_OF_USER, "forge", "{url}", "--header", _HEADER),
            ("gemini", "mcp", "list"),
        ),
        "Connected",
    ),
)
