"""`forge connect`: an agent with a key of its own, and the block that its client reads."""

import json
from typing import Any

from forge.cli import agents_md, clients
from forge.cli.calls import BadArguments, Connection, call_admin, call_tool, ending, out, say
from forge.contract.terms import Scope

_SESSION = "X-Forge-Session"
_SCOPES = [
    scope.value
    for scope in (
        Scope.READ_ISSUES,
        Scope.WRITE_ISSUES,
        Scope.READ_COMMENTS,
        Scope.WRITE_COMMENTS,
        Scope.READ_PROJECTS,
        Scope.READ_USERS,
    )
]
"""What an agent needs to work; more is given with keys.create."""


def run(at: Connection, profile_key: str, client_name: str, *, as_json: bool) -> int:
    return ending(lambda: _connect(at, profile_key, client_name, as_json=as_json))


def _connect(at: Connection, profile_key: str, client_name: str, *, as_json: bool) -> None:
    client = clients.CLIENTS.get(client_name)
    if client is None:
        raise BadArguments(f"There is no client {client_name!r}. Known: {', '.join(clients.CLIENTS)}.")
    agent = _agent(at, profile_key)
    order = {"name": f"{profile_key} in {client_name}", "kind": "AGENT", "linkedAgentId": agent["id"]}
    key = str(call_admin(at, "keys.create", {**order, "scopes": _SCOPES})["rawKey"])
    if as_json:
        block = client.block(clients.rpc_url(at.url), key)
        told = {"agentId": agent["id"], "rawKey": key, "block": block, "agentsMd": agents_md.BLOCK}
        out.print_json(json.dumps(told))
        return
    say(f"The agent {agent['profileKey']} has a key of its own, which is shown only now.")
    say("")
    for line in clients.shown(client, at.url, key).splitlines():
        say(line)
    say("")
    say("?profile=worker after the address lists only what an agent needs to work on issues.")
    say(f"Windows that share this key share what it locks, unless each sends a header {_SESSION}: <a name>.")
    say("")
    say(f"For the {agents_md.FILE} of the repository, or what its agents read instead:")
    say("")
    for line in agents_md.BLOCK.splitlines():
        say(line)


def _agent(at: Connection, profile_key: str) -> dict[str, Any]:
    """The one of this name, made if nobody has it."""
    known = call_tool(at, "agents.list", {})["data"]
    found = next((one for one in known if one["profileKey"].casefold() == profile_key.casefold()), None)
    if found:
        return dict(found)
    name = profile_key.replace("-", " ").capitalize()
    return call_admin(
        at, "agents.create", {"profileKey": profile_key, "name": name, "engagementMode": "EXECUTE"}
    )
