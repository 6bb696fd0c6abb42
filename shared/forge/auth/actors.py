"""Whom a key stands for: decided here alone, for every tool that needs somebody."""

from forge.context import Caller
from forge.contract.terms import Actor
from forge.errors import Forbidden

_OF_PEOPLE = {"chat.getThread": "threads.get", "chat.appendMessage": "threads.post"}
"""The other side of a talk."""


def identity_of(caller: Caller) -> str:
    """The agent or the person that the key stands for; a key of nobody is refused.

    The key of a run has nothing that is its agent's own: neither notes nor timers.
    """
    found = caller.run_id or caller.agent_id or caller.user_id
    if found is None:
        raise Forbidden(
            "This key stands for nobody.",
            hint="Use a person's key, or a key of kind AGENT with a linked agent.",
        )
    return found


def require_may_change(caller: Caller, tool: str) -> None:
    """Whoever changes something is written down with it, and an archived agent is out of work."""
    identity_of(caller)
    if caller.is_archived:
        raise Forbidden(
            f"{tool} changes something, and this agent was archived: its key only reads.",
            hint="Ask an admin; work goes on with another agent.",
        )


def require_actor(actor: Actor, caller: Caller, tool: str) -> None:
    if actor is Actor.AGENT and caller.agent_id is None:
        theirs = _OF_PEOPLE.get(tool)
        raise Forbidden(
            f"{tool} is for agents, and this key is not linked to one.",
            hint="Use a key of kind AGENT that is linked to the agent."
            + (f" People use `forge admin {theirs}`." if theirs else ""),
        )
    if actor is Actor.USER and caller.user_id is None:
        raise Forbidden(
            f"{tool} is for people, and this key has no user.",
            hint="Use a key of kind PERSONAL or SESSION.",
        )


def is_same(caller: Caller, key_id: str, *, user_id: str | None, agent_id: str | None) -> bool:
    """Whether it was this key, or another one of the same agent or person; a run's knows only its own."""
    if caller.run_id is not None:
        return key_id == caller.key_id
    is_same_agent = agent_id is not None and agent_id == caller.agent_id
    is_same_user = user_id is not None and user_id == caller.user_id
    return key_id == caller.key_id or is_same_agent or is_same_user
