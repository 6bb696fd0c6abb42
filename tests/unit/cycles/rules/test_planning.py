"""Which issues really move when a cycle is planned."""

import pytest

from forge.errors import InvalidInput
from forge.testing.builders import an_issue
from functions.cycles import rules

HERE, THERE = "cyc_here", "cyc_there"


def test_only_what_is_elsewhere_comes_and_only_what_is_here_goes() -> None:
    loose, here, there = an_issue(id="a"), an_issue(id="b", cycle_id=HERE), an_issue(id="c", cycle_id=THERE)

    assert rules.moves([loose, here, there], [], HERE) == {"a": HERE, "c": HERE}
    assert rules.moves([], [loose, here, there], HERE) == {"b": None}


def test_no_issue_comes_and_goes() -> None:
    with pytest.raises(InvalidInput):
        rules.moves([an_issue()], [an_issue()], HERE)


def test_some_are_named_and_no_more_than_fit() -> None:
    rules.require_some(["a"] * 3, ["b"] * 2, most=5)

    for coming, going in (([], []), (["a"] * 3, ["b"] * 3)):
        with pytest.raises(InvalidInput):
            rules.require_some(coming, going, most=5)


def test_chunks_hold_all_of_them_in_order() -> None:
    issues = [an_issue(id=f"iss_{place}") for place in range(45)]

    chunks = rules.chunks(issues)

    assert [len(chunk) for chunk in chunks] == [20, 20, 5]
    assert [issue for chunk in chunks for issue in chunk] == issues
