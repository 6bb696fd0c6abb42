"""When a continuation is done: after a walk that began once every earlier call was over, and left nothing."""

from datetime import timedelta

from forge.testing.builders import WORKSPACE_ID
from forge.testing.clock import NOON
from forge.work.record.continuations.continuations import LATECOMERS, ContinuationItem, ContinuationKind


def a_continuation(**fields: object) -> ContinuationItem:
    first = ContinuationItem(
        workspace_id=WORKSPACE_ID,
        id="cont_1",
        kind=ContinuationKind.LABEL_DELETED,
        subject_id="lbl_1",
        begun_at=NOON,
        due_at=NOON,
        look_began_at=NOON,
        tool="labels.delete",
        request_id="req_1",
        key_id="key_1",
    )
    return first.changed(**fields)


def test_a_chunk_moves_its_place_and_stays_due() -> None:
    further = a_continuation(settled=20).further("0|x", settled=20, left=1)

    assert (further.position, further.settled, further.left) == ("0|x", 40, 1)
    assert further.due_at == NOON


def test_the_first_walk_is_followed_by_one_for_latecomers_where_it_ended() -> None:
    again = a_continuation().walked(NOON + timedelta(seconds=5), again_from="0|z", settled=3, left=0)

    assert again is not None
    assert (again.due_at, again.look_began_at) == (NOON + LATECOMERS, NOON + LATECOMERS)
    assert (again.position, again.settled) == ("0|z", 3)


def test_it_is_done_after_that() -> None:
    second = a_continuation(look_began_at=NOON + LATECOMERS)

    assert second.walked(NOON + LATECOMERS, again_from="0|z", settled=1, left=0) is None


def test_what_others_were_changing_is_looked_for_from_the_beginning() -> None:
    now = NOON + timedelta(hours=1)
    second = a_continuation(look_began_at=NOON + LATECOMERS, left=1, position="0|x")

    again = second.walked(now, again_from="0|z", settled=0, left=0)

    assert again is not None
    assert (again.position, again.left, again.due_at) == ("", 0, now + LATECOMERS)
