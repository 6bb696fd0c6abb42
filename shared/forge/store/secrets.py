"""Secrets that operators keep for workspaces, and what is made from them for a while."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from forge.store.answers import Refused
from forge.store.botocore_calls import in_our_words
from forge.store.failures import patiently

ROOT = "forge/"
"""What all names of secrets begin with; in a stack, its own name follows."""
KEPT_FOR = timedelta(minutes=5)
"""So long a secret that was changed goes on being used as it was."""

_MOST_KEPT = 1000
_IS_MISSING = frozenset({"ResourceNotFoundException", "InvalidRequestException"})
"""The second is of a secret that is to be deleted."""


class NoSecret(Exception):
    """There is no such secret, or none that may be read, or none that is text; the message says which."""


class Kept(NamedTuple):
    text: str
    until: datetime


class Secrets:
    """By name or ARN. Each is fetched once in a while, and never written down anywhere."""

    def __init__(self, connect: Callable[[], Any], root: str = ROOT) -> None:
        self.root = root
        """What the names of this deployment's secrets begin with."""
        self._connect = connect
        self._kept: dict[str, Kept] = {}

    @cached_property
    def client(self) -> Any:
        return self._connect()

    def text(self, name: str, *, now: datetime) -> str:
        """What the secret holds; NoSecret where it can't be had, Unavailable where it can't be had now."""
        return self.kept(f"secret {name}", now=now, make=lambda: Kept(self._fetch(name), now + KEPT_FOR))

    def kept(self, name: str, *, now: datetime, make: Callable[[], Kept]) -> str:
        """What was made before under this name, as long as it holds."""
        known = self._kept.get(name)
        if known is None or known.until <= now:
            known = make()
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[name] = known
        return known.text

    def _fetch(self, name: str) -> str:
        try:
            answer = patiently(in_our_words(lambda: self.client.get_secret_value(SecretId=name)))
        except Refused as refusal:
            reason = "does not exist" if refusal.code in _IS_MISSING else f"can't be read ({refusal.code})"
            raise NoSecret(f"The secret {name} {reason}.") from None
        if not answer.get("SecretString"):
            raise NoSecret(f"The secret {name} holds no text.")
        return str(answer["SecretString"])


def versions_of(client: Any, name: str) -> tuple[str, str | None, datetime]:
    """A secret that is rotated: as it is, as it was before if it ever was another, and since when."""

    def fetch(stage: str) -> dict[str, Any]:
        found: dict[str, Any] = patiently(
            in_our_words(lambda: client.get_secret_value(SecretId=name, VersionStage=stage))
        )
        return found

    current = fetch("AWSCURRENT")
    try:
        previous: str | None = fetch("AWSPREVIOUS")["SecretString"]
    except Refused as refusal:
        if refusal.code not in _IS_MISSING:
            raise
        previous = None
    return current["SecretString"], previous, current["CreatedDate"].astimezone(UTC)


def no_secrets() -> Secrets:
    """For whoever has no use for them."""

    def refuse() -> Any:
        raise LookupError("there are no secrets here")

    return Secrets(refuse)
