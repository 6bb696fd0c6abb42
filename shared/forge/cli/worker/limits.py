"""What a run may use, and what it has used."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Limits(NamedTuple):
    usd: float | None = None
    turns: int | None = None
    minutes: float | None = None

    def least(self, other: "Limits") -> "Limits":
        """What holds where both do."""
        return Limits(
            _lesser(self.usd, other.usd),
            _lesser(self.turns, other.turns),
            _lesser(self.minutes, other.minutes),
        )


NO_LIMITS = Limits()


class Usage(NamedTuple):
    """Totals; the cost is None where nobody knows it."""

    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float | None = None

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def plus(self, other: "Usage") -> "Usage":
        costs = [one for one in (self.cost_usd, other.cost_usd) if one is not None]
        return Usage(
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.tokens_cached + other.tokens_cached,
            sum(costs) if costs else None,
        )

    def at_least(self, other: "Usage") -> "Usage":
        """The larger of what was counted and what was told: neither has all of a killed process."""
        costs = [one for one in (self.cost_usd, other.cost_usd) if one is not None]
        return Usage(
            max(self.tokens_in, other.tokens_in),
            max(self.tokens_out, other.tokens_out),
            max(self.tokens_cached, other.tokens_cached),
            max(costs) if costs else None,
        )

    def arguments(self) -> dict[str, Any]:
        """As Forge takes them; nothing of what was never told."""
        if self == Usage():
            return {}
        told = {"tokensIn": self.tokens_in, "tokensOut": self.tokens_out, "tokensCached": self.tokens_cached}
        return told | ({} if self.cost_usd is None else {"costUsd": round(self.cost_usd, 4)})


class Used(NamedTuple):
    """What a run has used so far, in all of its attempts."""

    usage: Usage = Usage()
    turns: int = 0
    minutes: float = 0.0

    def arguments(self) -> dict[str, Any]:
        """As runs.recordUsage takes them: whoever goes on with the run elsewhere counts on from there."""
        return {"turns": self.turns, **self.usage.arguments()}


def limits_in(bundle: Mapping[str, Any]) -> Limits:
    """Those that Forge knows of."""
    told = bundle.get("limits") or {}
    return Limits(told.get("usd"), told.get("turns"), told.get("minutes"))


def reason_to_stop(used: Used, limits: Limits) -> str:
    """Why it must not go on, or nothing."""
    cost = used.usage.cost_usd
    if limits.usd is not None and cost is not None and cost >= limits.usd:
        return f"It has used {cost:.2f} USD of {limits.usd:.2f}."
    if limits.turns is not None and used.turns >= limits.turns:
        return f"It has taken {used.turns} turns of {limits.turns}."
    if limits.minutes is not None and used.minutes >= limits.minutes:
        return f"It has worked for {used.minutes:.0f} minutes of {limits.minutes:g}."
    return ""


def _lesser(one: Any, other: Any) -> Any:
    known = [each for each in (one, other) if each is not None]
    return min(known) if known else None
