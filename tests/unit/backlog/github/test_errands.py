"""Errands to GitHub: run once, again where that helps, and by nobody who lost the lock."""

from tests.unit.backlog.github.workshop import Workshop

SECONDARY = {"message": "You have exceeded a secondary rate limit."}


def test_a_comment_whose_answer_was_lost_is_written_once(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session().force(number)
    workshop.github.fails_once("POST", "/comments$", after_doing=True)

    first = workshop.run_errands()
    workshop.office.world.clock.advance(minutes=1)
    second = workshop.run_errands()

    assert (first, second) == (0, 1)
    assert len(workshop.app.comments[number]) == 1


def test_an_errand_that_ran_and_was_not_ended_changes_nothing_more(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session().force(number)
    left = workshop.errands()
    workshop.run_errands()
    workshop.office.put(*(one.changed(version=1) for one in left))

    workshop.run_errands()

    assert len(workshop.app.comments[number]) == 1
    assert workshop.app.labels_of(number)[-1] == "status:in-progress"


def test_a_token_that_is_exhausted_is_let_rest_and_the_sweep_tries_again(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session().taken()
    for _ in range(2):
        workshop.github.fails_once(
            "GET", f"/issues/{number}$", status=403, headers={"retry-after": "600"}, body=SECONDARY
        )

    tried = workshop.run_errands()
    (waiting,) = workshop.errands()

    assert waiting.look_at
    rest = (waiting.look_at - workshop.office.world.clock()).total_seconds()
    assert (tried, waiting.tries, rest) == (0, 1, 600)


def test_an_errand_about_an_issue_that_is_gone_ends_in_the_audit(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session().taken()
    del workshop.app.issues[number]

    workshop.run_errands()

    assert workshop.errands() == []
    last = workshop.log_of_errands()[-1]
    assert last.action == "give-up"
    assert last.after is not None
    assert last.after["failure"]


def test_a_label_that_is_there_already_is_used_as_it_is(workshop: Workshop) -> None:
    number = workshop.an_issue()
    mine = workshop.app.add_label("status:in-progress", color="ffffff")
    workshop.session().taken()

    workshop.run_errands()

    assert workshop.asked("POST", "/labels")[0] == {
        "name": "status:in-progress",
        "color": "0e8a16",
        "description": "Somebody works on it",
    }
    assert workshop.app.labels["status:in-progress"] == mine
    assert workshop.app.labels_of(number)[-1] == "status:in-progress"


def test_who_lost_a_lock_tells_github_nothing_whatever_their_clock_says(workshop: Workshop) -> None:
    number = workshop.an_issue()
    late, current = workshop.session("a"), workshop.session("b")
    late.taken()
    workshop.office.world.clock.advance(minutes=31)
    current.taken()
    workshop.run_errands()

    for skew in (-60, 0, 60):
        workshop.office.world.clock.advance(seconds=skew)
        answers = [late.renew(number), late.advance(number, "branch"), late.release(number, "merged")]
        assert {one["code"] for one in answers} == {"NOT_LOCKED"}

    assert workshop.errands() == []
    assert workshop.app.issues[number]["state"] == "open"
    assert list(workshop.app.branches) == ["main"]


def test_a_paused_repository_is_not_asked_and_its_errands_wait(workshop: Workshop) -> None:
    number = workshop.an_issue()
    workshop.session().taken()
    workshop.office.call("repositories.update", {"id": workshop.id, "paused": True})
    asked = len(workshop.github.requests)

    answer = workshop.office.call("list_backlog", {})
    workshop.run_errands()
    waiting, asked_meanwhile = len(workshop.errands()), len(workshop.github.requests) - asked
    workshop.office.call("repositories.update", {"id": workshop.id, "paused": False})
    workshop.run_errands()

    assert (answer["success"], answer["code"]) == (False, "GITHUB_API_ERROR")
    assert "paused" in answer["error"]
    assert (waiting, asked_meanwhile) == (1, 0)
    assert workshop.app.labels_of(number)[-1] == "status:in-progress"
