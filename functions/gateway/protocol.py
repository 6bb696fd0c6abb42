"""What the gateway's protocol says: which intent may have which effect, and for how long."""

from enum import StrEnum
from typing import NamedTuple

from forge.contract.catalog_tools import CatalogTool
from forge.contract.terms import INTENTS, Effect
from forge.work.plans.gateway.failures import ErrorType, refused

LEAST_MS, MOST_MS = 1_000, 900_000
MOST_RETRIES = 5


class Intent(StrEnum):
    QUERY = "QUERY"
    ANALYZE = "ANALYZE"
    GENERATE = "GENERATE"
    MODIFY = "MODIFY"
    EXECUTE = "EXECUTE"


class Isolation(StrEnum):
    AGENT = "agent"
    SUBPROCESS = "subprocess"


DEFAULT_EFFECTS = {
    Intent.QUERY: Effect.READ_ONLY,
    Intent.ANALYZE: Effect.READ_ONLY,
    Intent.GENERATE: Effect.READ_ONLY,
    Intent.MODIFY: Effect.MUTATING,
    Intent.EXECUTE: Effect.EXTERNAL_EXEC,
}
_RANKS = {Effect.READ_ONLY: 0, Effect.MUTATING: 1, Effect.EXTERNAL_EXEC: 2}
_MS = {Effect.READ_ONLY: 60_000, Effect.MUTATING: 120_000, Effect.EXTERNAL_EXEC: 300_000}


class GatewayLimits(NamedTuple):
    timeout_ms: int
    retries: int
    """How often it is tried again by itself."""


def changes(intent: Intent) -> bool:
    return intent in (Intent.MODIFY, Intent.EXECUTE)


def effect_of(tool: CatalogTool, intent: Intent, declared: Effect | None) -> Effect:
    """The effect that the caller declares, or their intent's; refused where the tool does more than that."""
    effect = declared or DEFAULT_EFFECTS[intent]
    if not changes(intent) and effect is not Effect.READ_ONLY:
        raise refused(
            ErrorType.PERMISSION,
            f"{intent} only reads, and {effect} is more than that.",
            suggestion="Declare READ_ONLY or leave the effect out; to change something, say MODIFY.",
            code="EFFECT_FORBIDDEN",
        )
    registered = Effect(tool.effect)
    if intent not in INTENTS[registered]:
        intents = " or ".join(INTENTS[registered])
        raise refused(
            ErrorType.VALIDATION,
            f"{tool.name} is not reached by {intent}.",
            suggestion=f"Its effect is {registered}: use the intent {intents}.",
            code="INTENT_MISMATCH",
        )
    if _RANKS[effect] < _RANKS[registered]:
        raise refused(
            ErrorType.PERMISSION,
            f"{tool.name} is {registered}, which is more than {effect}.",
            suggestion=f'Declare it: "effect": "{registered}".',
            code="EFFECT_UNDERDECLARED",
        )
    return effect


def limits_of(
    tool: CatalogTool, effect: Effect, *, timeout_ms: int | None, retry_count: int, is_repeatable: bool
) -> GatewayLimits:
    """How long it may take, and how often it is tried again: what is not safe to repeat is tried once."""
    if effect is Effect.EXTERNAL_EXEC and retry_count and not tool.annotations.get("idempotentHint"):
        raise refused(
            ErrorType.VALIDATION,
            f"{tool.name} reaches others, so it is not tried again by itself.",
            suggestion="Leave constraints.retry_count out, and decide after each answer.",
            code="RETRY_FORBIDDEN",
        )
    wanted = _MS[effect] if timeout_ms is None else min(max(timeout_ms, LEAST_MS), MOST_MS)
    return GatewayLimits(wanted, retry_count if effect is Effect.READ_ONLY or is_repeatable else 0)
