"""A limit that leaves room for more than before is a higher one, and none is the highest."""

from forge.work.plans.goals.crew_loads import is_raised


def test_no_limit_is_more_than_any() -> None:
    assert is_raised(1, 2)
    assert is_raised(20, 0)
    assert not is_raised(0, 20)
    assert not is_raised(2, 1)
    assert not is_raised(0, 0)
