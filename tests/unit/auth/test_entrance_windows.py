"""The entrance counts: so many calls a minute per key and door, and an honest word on when to come back."""

import pytest

from forge.context import Door
from forge.errors import ErrorCode, RateLimited, Unauthorized
from tests.unit.auth.entered import AGENT_KEY, PERSONAL_KEY, Entrance


def admitted(entrance: Entrance, credential: str, *, door: Door, tries: int) -> int:
    count = 0
    for _ in range(tries):
        try:
            entrance.admit(credential, door=door)
        except RateLimited:
            continue
        count += 1
    return count


def limited(entrance: Entrance, credential: str, door: Door) -> RateLimited:
    with pytest.raises(RateLimited) as caught:
        entrance.admit(credential, door=door)
    assert caught.value.code is ErrorCode.RATE_LIMITED
    return caught.value


@pytest.mark.parametrize(("door", "limit"), [(Door.RPC, 600), (Door.REST, 300)])
def test_a_key_passes_each_door_so_often_a_minute(
    raw: str, entrance: Entrance, door: Door, limit: int
) -> None:
    assert admitted(entrance, raw, door=door, tries=limit + 50) == limit


def test_one_door_does_not_count_for_the_other(raw: str, entrance: Entrance) -> None:
    admitted(entrance, raw, door=Door.REST, tries=301)

    assert admitted(entrance, raw, door=Door.RPC, tries=601) == 600


def test_one_key_does_not_count_for_another(entrance: Entrance) -> None:
    first, second = entrance.a_key(PERSONAL_KEY), entrance.a_key(AGENT_KEY)
    admitted(entrance, first, door=Door.REST, tries=301)

    assert admitted(entrance, second, door=Door.REST, tries=301) == 300


def test_the_window_is_the_minute_of_the_clock_not_the_minute_since_the_first_call(
    raw: str, entrance: Entrance
) -> None:
    entrance.clock.advance(seconds=59)
    admitted(entrance, raw, door=Door.REST, tries=301)

    entrance.clock.advance(seconds=1)

    assert admitted(entrance, raw, door=Door.REST, tries=301) == 300


@pytest.mark.parametrize(("seconds", "wait"), [(0, 60), (12.25, 48), (59, 1), (59.9, 1)])
def test_the_caller_is_told_how_long_to_wait(raw: str, entrance: Entrance, seconds: float, wait: int) -> None:
    entrance.clock.advance(seconds=seconds)
    admitted(entrance, raw, door=Door.REST, tries=300)

    refused = limited(entrance, raw, Door.REST)

    assert refused.retry_after_seconds == wait
    assert refused.retryable


def test_whoever_waits_as_told_passes(raw: str, entrance: Entrance) -> None:
    entrance.clock.advance(seconds=41.7)
    admitted(entrance, raw, door=Door.REST, tries=300)
    wait = limited(entrance, raw, Door.REST).retry_after_seconds
    assert wait is not None

    entrance.clock.advance(seconds=wait)

    assert entrance.admit(raw, door=Door.REST).key_id == "key_laptop"


def test_refused_calls_do_not_prolong_the_wait(raw: str, entrance: Entrance) -> None:
    admitted(entrance, raw, door=Door.REST, tries=900)

    entrance.clock.advance(minutes=1)

    assert admitted(entrance, raw, door=Door.REST, tries=900) == 300


def test_a_call_over_the_limit_is_not_marked_as_use(raw: str, entrance: Entrance) -> None:
    admitted(entrance, raw, door=Door.REST, tries=300)
    last_use = entrance.record_of().last_used_at
    entrance.clock.advance(seconds=30)

    limited(entrance, raw, Door.REST)

    assert entrance.record_of().last_used_at == last_use


def test_a_revoked_key_over_its_limit_is_revoked_not_busy(raw: str, entrance: Entrance) -> None:
    admitted(entrance, raw, door=Door.REST, tries=301)

    entrance.revoke()

    with pytest.raises(Unauthorized):
        entrance.admit(raw, door=Door.REST)


def test_a_token_counts_in_the_window_of_its_key(raw: str, entrance: Entrance) -> None:
    admitted(entrance, raw, door=Door.REST, tries=200)

    assert admitted(entrance, entrance.a_token(), door=Door.REST, tries=200) == 100


def test_sessions_of_one_key_share_its_window(entrance: Entrance) -> None:
    raw = entrance.a_key(PERSONAL_KEY)
    admitted(entrance, raw, door=Door.REST, tries=300)

    with pytest.raises(RateLimited):
        entrance.admit(raw, door=Door.REST, headers={"mcp-session-id": "another"})
