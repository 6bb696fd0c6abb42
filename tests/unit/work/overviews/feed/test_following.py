"""A follower hears of everything once, although what is stored last may bear an earlier time."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge.errors import InvalidInput
from forge.work.overviews.feed.feed import WantedEvents
from forge.work.overviews.feed.following import (
    MOST_REMEMBERED,
    MOST_TOLD,
    SETTLED_AFTER,
    FeedNews,
    FeedPlace,
    FeedRead,
    Places,
    settle,
)

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
EVERYTHING = WantedEvents(None, None, frozenset(), None)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def news(seconds: float, number: int) -> FeedNews:
    return FeedNews(at(seconds), f"evt_{number:08}", "ISSUE_UPDATED", "{}")


def from_(place: FeedPlace, *all_news: FeedNews) -> FeedRead:
    return FeedRead([one for one in all_news if one.moment >= place.settled])


def test_what_was_told_is_not_told_again_and_what_came_late_is() -> None:
    first = settle(FeedPlace(NOON), [FeedRead([news(1, 1), news(3, 3)])], now=at(4))

    second = settle(first.after, [from_(first.after, news(1, 1), news(2, 2), news(3, 3))], now=at(5))

    assert [one.id for one in first.news] == ["evt_00000001", "evt_00000003"]
    assert [one.id for one in second.news] == ["evt_00000002"]


def test_what_is_settled_is_forgotten() -> None:
    heard = settle(FeedPlace(NOON), [FeedRead([news(1, 1), news(50, 2)])], now=at(60))

    assert heard.after.settled == at(60) - SETTLED_AFTER
    assert heard.after.told == (news(50, 2).mark,)


def test_a_place_never_goes_back() -> None:
    place = FeedPlace(at(100))

    assert settle(place, [FeedRead([])], now=at(101)).after.settled == at(100)


def test_an_answer_tells_so_much_and_the_next_one_the_rest() -> None:
    many = [news(number / 100, number) for number in range(MOST_TOLD + 7)]

    first = settle(FeedPlace(NOON), [FeedRead(many)], now=at(100))
    second = settle(first.after, [from_(first.after, *many)], now=at(100))

    assert first.is_cut
    assert not second.is_cut
    assert [*first.news, *second.news] == many


def test_what_lies_behind_a_cut_reading_waits_for_it() -> None:
    cut = FeedRead([news(1, 1), news(2, 2)], up_to=at(2))

    heard = settle(FeedPlace(NOON), [cut, FeedRead([news(3, 9)])], now=at(100))

    assert [one.id for one in heard.news] == ["evt_00000001", "evt_00000002"]
    assert heard.after.settled == at(2)


def test_a_place_remembers_no_more_than_fits_into_a_header() -> None:
    place = FeedPlace(NOON, told=tuple(f"{number:010}" for number in range(MOST_REMEMBERED)))

    heard = settle(place, [FeedRead([news(1, 1)])], now=at(2))

    assert heard.after.told == place.told
    assert heard.after.settled > news(1, 1).moment
    assert len(Places("ws_1", EVERYTHING).write(heard.after)) < 8_000


def test_what_has_to_be_forgotten_is_not_told_again_although_something_was_late() -> None:
    rows = [news(10 + number / 1000, number) for number in range(MOST_REMEMBERED)]
    place = FeedPlace(NOON)
    told: list[str] = []

    def look() -> None:
        nonlocal place
        heard = settle(place, [from_(place, *rows)], now=at(12))
        told.extend(one.id for one in heard.news)
        place = heard.after

    while len(told) < len(rows):
        look()
    # It bears the earliest time of all, and is stored after all of them.
    rows.insert(0, news(9, MOST_REMEMBERED))
    look()
    look()

    assert sorted(told) == sorted(one.id for one in rows)
    assert len(place.told) <= MOST_REMEMBERED


def test_a_place_can_be_carried_as_text() -> None:
    place = FeedPlace(at(1.5), ("0000000001", "0000000002"), silences=3)
    places = Places("ws_1", EVERYTHING)

    assert places.read(places.write(place)) == place
    assert places.read(places.write(FeedPlace(NOON))) == FeedPlace(NOON)


def test_a_place_in_another_feed_is_refused() -> None:
    text = Places("ws_1", EVERYTHING).write(FeedPlace(NOON))

    for other in (
        Places("ws_2", EVERYTHING),
        Places("ws_1", WantedEvents("issue", "iss_1", frozenset(), None)),
    ):
        with pytest.raises(InvalidInput):
            other.read(text)
    with pytest.raises(InvalidInput):
        Places("ws_1", EVERYTHING).read("%%%")


# Each is stored up to half a minute after the time that it bears; followers ask whenever they do.
stored = st.lists(
    st.tuples(st.integers(0, 120), st.integers(0, int(SETTLED_AFTER.total_seconds()))), max_size=120
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(stored, st.lists(st.integers(0, 40), max_size=12), st.integers(1, 60))
def test_whenever_it_asks_a_follower_hears_of_each_thing_once(
    written: list[tuple[int, int]], pauses: list[int], most_read: int
) -> None:
    rows = [(second + late, news(second, number)) for number, (second, late) in enumerate(written)]
    place, now = FeedPlace(NOON), 0
    told: list[str] = []

    def look() -> bool:
        nonlocal place
        there = sorted(one for since, one in rows if since <= now and one.moment >= place.settled)
        # A reading is longer than what a place remembers, and so gets on.
        size = most_read + len(place.told)
        end = there[size - 1].moment if len(there) > size else None
        read = [one for one in there if end is None or one.moment <= end]
        heard = settle(place, [FeedRead(read, end)], now=at(now))
        told.extend(one.id for one in heard.news)
        is_further = heard.after != place
        place = heard.after
        return heard.is_cut and is_further

    for pause in [*pauses, 200]:
        now += pause
        while look():
            pass

    assert sorted(told) == sorted(one.id for _, one in rows)
