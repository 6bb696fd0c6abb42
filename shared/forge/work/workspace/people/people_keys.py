"""The keys of agents and people, and of what authenticates them."""

from hashlib import sha256

from forge.store.keys import Key, SharedKey

LOADS = "LOAD#"


def members(workspace_id: str) -> str:
    return f"WS#{workspace_id}#MEMBERS"


def member(workspace_id: str, user_id: str) -> Key:
    return Key(members(workspace_id), user_id)


def agents(workspace_id: str) -> str:
    return f"WS#{workspace_id}#AGENTS"


def agent(workspace_id: str, agent_id: str) -> Key:
    return Key(agents(workspace_id), f"AGENT#{agent_id}")


def agent_pulse(workspace_id: str, agent_id: str) -> Key:
    """Status and last heartbeat, apart from the agent: they change every minute."""
    return Key(agents(workspace_id), f"PULSE#{agent_id}")


def agent_load(workspace_id: str, agent_id: str) -> SharedKey:
    """How many open issues an agent has: apart from the agent, because it changes with issues."""
    return SharedKey(agents(workspace_id), f"{LOADS}{agent_id}")


RULES = "RULE#"


def dispatch_rule(workspace_id: str, rule_id: str) -> Key:
    """Beside the agents, because auto-dispatch reads them together."""
    return Key(agents(workspace_id), f"{RULES}{rule_id}")


def keys_of_agent(workspace_id: str, agent_id: str) -> Key:
    """Which keys are linked to an agent: apart from the agent, which lists read."""
    return Key(f"WS#{workspace_id}#AGENTKEYS#{agent_id}", "KEYS")


RUNTIME = "RUNTIME#"


def runtimes(workspace_id: str) -> str:
    return f"WS#{workspace_id}#RUNTIMES"


def runtime(workspace_id: str, runtime_id: str) -> Key:
    return Key(runtimes(workspace_id), f"{RUNTIME}{runtime_id}")


def runtime_count(workspace_id: str, runtime_id: str) -> SharedKey:
    """Apart from the runtime, because agents change it and no edit of the runtime may undo that."""
    return SharedKey(runtimes(workspace_id), f"COUNT#{runtime_id}")


def runtimes_in_order(workspace_id: str) -> str:
    return f"WS#{workspace_id}#RUNTIMES#ORDER"


def belongings(workspace_id: str, owner_id: str) -> str:
    """What belongs to one person or agent alone: timer, notes and their texts, pins, preferences."""
    return f"WS#{workspace_id}#ACTOR#{owner_id}"


def former_member(workspace_id: str, user_id: str) -> Key:
    """That somebody was a member once: what was theirs still has their id."""
    return Key(belongings(workspace_id, user_id), "FORMER")


def api_keys(workspace_id: str) -> str:
    return f"WS#{workspace_id}#KEYS"


def api_key(workspace_id: str, key_id: str) -> Key:
    return Key(api_keys(workspace_id), key_id)


def authentication(key_hash: str) -> Key:
    return Key(f"KEY#{key_hash}", "KEY")


def user(user_id: str) -> Key:
    return Key(f"USER#{user_id}", "USER")


def email(address: str) -> Key:
    return Key(f"EMAIL#{sha256(address.strip().lower().encode()).hexdigest()}", "EMAIL")


def pins(workspace_id: str, owner_id: str) -> Key:
    return Key(belongings(workspace_id, owner_id), "PINS")


PREFERENCES = "PREF#"


def preferences_everywhere(user_id: str) -> str:
    """Apart from the person: whoever writes preferences must not be able to write people."""
    return f"USER#{user_id}#PREFS"


def preference_everywhere(user_id: str, event_kind: str) -> Key:
    return Key(preferences_everywhere(user_id), f"{PREFERENCES}{event_kind}")


def preference(workspace_id: str, user_id: str, event_kind: str) -> Key:
    return Key(belongings(workspace_id, user_id), f"{PREFERENCES}{event_kind}")
