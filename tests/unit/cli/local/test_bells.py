"""Bells: what was rung while nobody waited is not lost, and nobody waits for what was rung."""

from concurrent.futures import ThreadPoolExecutor

from forge.cli.local.bells import Bells

FOREVER = 60


def test_what_rang_before_is_heard_by_who_waits_later() -> None:
    bells = Bells()
    bells.ring("a")
    bells.ring("a")

    bells.wait("a", FOREVER)
    bells.wait("a", 0)


def test_everybody_is_woken_at_the_end() -> None:
    bells = Bells()
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(bells.wait, name, FOREVER) for name in ("a", "b")]
        while not all(one.done() for one in waiting):
            bells.ring_all()
