"""Which intent may have which effect on which tool, how long it may take, and how often it is tried."""

import pytest

from forge.contract.catalog import load_catalog
from forge.contract.catalog_tools import CatalogTool
from forge.contract.terms import Effect
from forge.work.plans.gateway.failures import ErrorType, Failed
from functions.gateway.protocol import DEFAULT_EFFECTS, Intent, effect_of, limits_of

READER = load_catalog().get("issues.list")
WRITER = load_catalog().get("issues.create")
EXECUTOR = load_catalog().get("runs.kick")

PERMISSION, VALIDATION = ErrorType.PERMISSION, ErrorType.VALIDATION
RO, MUT, EXT = Effect.READ_ONLY, Effect.MUTATING, Effect.EXTERNAL_EXEC


def verdict(tool: CatalogTool, intent: Intent, effect: Effect | None) -> object:
    try:
        return effect_of(tool, intent, effect)
    except Failed as failed:
        return failed.failure.type


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        (Intent.QUERY, (RO, PERMISSION, PERMISSION)),
        (Intent.ANALYZE, (RO, PERMISSION, PERMISSION)),
        (Intent.GENERATE, (RO, PERMISSION, PERMISSION)),
        (Intent.MODIFY, (VALIDATION, VALIDATION, VALIDATION)),
        (Intent.EXECUTE, (VALIDATION, VALIDATION, VALIDATION)),
    ],
)
def test_what_only_reads_is_reached_by_intents_that_only_read(
    intent: Intent, expected: tuple[object, ...]
) -> None:
    assert tuple(verdict(READER, intent, effect) for effect in (RO, MUT, EXT)) == expected


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        (Intent.QUERY, (VALIDATION, PERMISSION, PERMISSION)),
        (Intent.ANALYZE, (VALIDATION, PERMISSION, PERMISSION)),
        (Intent.GENERATE, (VALIDATION, PERMISSION, PERMISSION)),
        (Intent.MODIFY, (PERMISSION, MUT, EXT)),
        (Intent.EXECUTE, (VALIDATION, VALIDATION, VALIDATION)),
    ],
)
def test_what_changes_is_reached_by_modify_with_no_less_than_its_effect(
    intent: Intent, expected: tuple[object, ...]
) -> None:
    assert tuple(verdict(WRITER, intent, effect) for effect in (RO, MUT, EXT)) == expected


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        (Intent.QUERY, (VALIDATION, PERMISSION, PERMISSION)),
        (Intent.MODIFY, (PERMISSION, PERMISSION, EXT)),
        (Intent.EXECUTE, (PERMISSION, PERMISSION, EXT)),
    ],
)
def test_what_reaches_others_needs_to_be_declared_so(intent: Intent, expected: tuple[object, ...]) -> None:
    assert tuple(verdict(EXECUTOR, intent, effect) for effect in (RO, MUT, EXT)) == expected


@pytest.mark.parametrize("intent", Intent)
def test_an_effect_that_is_left_out_is_the_intents_own(intent: Intent) -> None:
    tool = {RO: READER, MUT: WRITER, EXT: EXECUTOR}[DEFAULT_EFFECTS[intent]]

    assert verdict(tool, intent, None) is DEFAULT_EFFECTS[intent]


@pytest.mark.parametrize(
    ("effect", "given", "used"),
    [(RO, None, 60_000), (MUT, None, 120_000), (EXT, None, 300_000), (RO, 1, 1_000), (RO, 10**9, 900_000)],
)
def test_time_is_by_effect_unless_it_is_given_and_then_within_bounds(
    effect: Effect, given: int | None, used: int
) -> None:
    limits = limits_of(READER, effect, timeout_ms=given, retry_count=0, is_repeatable=False)

    assert limits.timeout_ms == used


@pytest.mark.parametrize(
    ("effect", "is_repeatable", "retries"), [(RO, False, 3), (MUT, False, 0), (MUT, True, 3)]
)
def test_only_what_is_safe_to_repeat_is_tried_again(
    effect: Effect, is_repeatable: bool, retries: int
) -> None:
    limits = limits_of(WRITER, effect, timeout_ms=None, retry_count=3, is_repeatable=is_repeatable)

    assert limits.retries == retries


def test_what_reaches_others_is_never_tried_again_by_itself() -> None:
    with pytest.raises(Failed) as refused:
        limits_of(EXECUTOR, EXT, timeout_ms=None, retry_count=1, is_repeatable=True)

    assert refused.value.failure.code == "RETRY_FORBIDDEN"
