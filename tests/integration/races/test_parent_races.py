"""Issues that become parts of one another at the same moment: no circle, whoever comes first."""

from tests.integration.races.crowds import at_once
from tests.workshop.interference import COMMIT, Interference, once_before
from tests.workshop.issues import an_issue, head
from tests.workshop.office import Office


def put_under(office: Office, child: str, parent: str) -> int:
    """As somebody does who is told to try again."""
    while True:
        answer = office.send("issues.update", {"id": child, "parentId": parent})
        if answer.status != 409 or '"retryable":true' not in answer.body:
            return answer.status


def test_of_two_who_become_parts_of_each_other_at_once_one_is_refused(office: Office) -> None:
    ends = [an_issue(office) for _ in range(2)]

    outcomes = at_once(2, lambda place: put_under(office, ends[place], ends[1 - place]))

    assert sorted(outcomes) == [200, 409]
    assert sum(head(office, one).parent_id is None for one in ends) == 1


def test_of_five_who_together_close_a_circle_one_is_refused(office: Office) -> None:
    ids = [an_issue(office) for _ in range(5)]

    outcomes = at_once(5, lambda place: put_under(office, ids[place], ids[(place + 1) % 5]))

    assert sorted(outcomes) == [200] * 4 + [409]
    assert sum(head(office, one).parent_id is None for one in ids) == 1


def test_a_circle_that_closes_far_above_is_noticed_before_it_is_stored(
    office: Office, interference: Interference
) -> None:
    low, middle, high, top = (an_issue(office) for _ in range(4))
    put_under(office, middle, high)
    put_under(office, low, top)
    # While the top goes under the middle one, what is above that goes under the low one.
    interference.handle = once_before(COMMIT, lambda: put_under(office, high, low))

    outcome = put_under(office, top, middle)

    assert outcome == 409
    assert head(office, high).parent_id == low
    assert head(office, top).parent_id is None
