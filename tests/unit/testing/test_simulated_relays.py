"""The relay and the sweep, simulated: everything is told once, unless both are at the same mark at once."""

from dataclasses import replace

from forge.testing.simulation.relays import Relay, Simulation, Told, Words

RELAY = Relay(
    lanes=10,
    batch=100,
    together=25,
    portion_seconds=0.1,
    reading_seconds=0.01,
    idle_poll_seconds=0.25,
    due_after=120,
    sweep_every=60,
    sweep_lasts=55,
    sweep_mark_seconds=0.05,
    sweep_most=2_000,
)
WORDS = Words(share=0.1, consumers=10, batch=10, message_seconds=0.05)
STUCK = replace(RELAY, lanes=1, portion_seconds=10.0)
"""Two and a half marks a second."""


def told(relay: Relay, *marks_each_second: float, words: Words = WORDS) -> Told:
    return Simulation(relay, words, seed=1).run(marks_each_second)


def test_ordinary_work_is_told_at_once_and_the_sweep_finds_nothing() -> None:
    found = told(RELAY, *[100] * 60)

    assert found.marks == found.sent_once
    assert found.sent_by_sweep == 0
    assert found.longest_lag < 1


def test_a_minute_of_ten_times_too_much_is_told_once_and_caught_up_with() -> None:
    found = told(RELAY, *[400] * 10, *[4_000] * 60, *[400] * 120)

    assert found.marks == found.sent_once
    assert 5 < found.longest_lag < RELAY.due_after
    assert found.lag_gone_at < 70 + 120


def test_what_the_relay_leaves_for_two_minutes_is_told_by_the_sweep() -> None:
    found = told(STUCK, *[10] * 60)

    assert found.never_sent == 0
    assert found.sent_by_sweep > 0
    assert found.longest_lag > 120


def test_whoever_comes_late_reads_again_and_sends_only_what_is_left() -> None:
    found = told(STUCK, *[10] * 60)

    # Only what both had in hand at the same moment, which consumers recognise.
    assert found.sent_again < 2 * STUCK.together < found.sent_by_sweep


def test_words_wait_for_their_worker_and_nothing_else_waits_for_them() -> None:
    slow = replace(WORDS, consumers=1, message_seconds=1.0)

    found = told(RELAY, *[100] * 60, words=slow)

    assert found.words_late_until > 300
    assert found.longest_lag < 1


def test_the_same_seed_tells_the_same() -> None:
    assert told(RELAY, *[300] * 20) == told(RELAY, *[300] * 20)
