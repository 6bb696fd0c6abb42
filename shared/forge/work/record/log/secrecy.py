"""What is a secret, by its name or by its look: it is never shown, nor written into the log."""

import re
from collections.abc import Mapping
from typing import Any

_NAME = re.compile(
    r"secret|passw(?:or)?d|passphrase|token|authorization|bearer|credential|cookie|^auth$"
    r"|(?:^|[_-]|api|raw|access|private|ssh|signing|encryption)keys?$",
    re.I,
)
_COUNT = re.compile(r"tokens$", re.I)
_LOOK = re.compile(
    r"^(?:bearer|basic)\s+\S|-----BEGIN [A-Z ]*PRIVATE KEY|://[^/\s:@]*:[^/\s@]+@"
    r"|(?:secret|password|token|api[_-]?key)=\S|(?:authorization|api[_-]?key):\s*\S"
    r"|\b(?:sk-|gh[a-z]_|github_pat_|xox[a-z]-|AKIA|whsec_|forge_sk_)[A-Za-z0-9_-]{8}",
    re.I,
)

_KEY = re.compile(
    r"\bforge_sk_[A-Za-z0-9_-]{20}|\bgh[oprsu]_[A-Za-z0-9]{30}|\bgithub_pat_[A-Za-z0-9_]{30}"
    r"|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32}|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[A-Za-z0-9-]{20}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY"
)


def is_named(name: str) -> bool:
    """Whether what is called so is a secret."""
    return _NAME.search(name) is not None


def looks(value: object) -> bool:
    """Whether a text has the form of a secret, whatever its field is called."""
    return isinstance(value, str) and _LOOK.search(value) is not None


def holds_key(text: str) -> bool:
    """Whether a key or a token stands in a longer text, of the kinds that can't be mistaken."""
    return _KEY.search(text) is not None


def is_secret(name: str, value: object) -> bool:
    """Whether this is one, as far as one can see: a switch is none, nor is a number of tokens."""
    if value is None or isinstance(value, bool) or value in ("", [], {}):
        return False
    if isinstance(value, int | float) and _COUNT.search(name):
        return False
    return is_named(name) or looks(value)


def without(value: Any) -> Any:
    """A document without its secrets, however deep they are in it."""
    if isinstance(value, Mapping):
        hidden = value_beside(value)
        return {
            name: without(one)
            for name, one in value.items()
            if name not in hidden and not is_secret(name, one)
        }
    if isinstance(value, list):
        return [without(one) for one in value if not looks(one)]
    return value


def value_beside(pair: Mapping[str, object]) -> frozenset[str]:
    """`value`, where what stands beside it names a secret: variables are often written as such pairs."""
    named = pair.get("name", pair.get("key"))
    return frozenset({"value"}) if isinstance(named, str) and is_named(named) else frozenset()
