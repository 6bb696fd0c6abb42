"""What is the same about all that workers are sent messages about."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from forge.errors import Unavailable
from forge.jsontext import encode
from forge.store.transactions import VersionMoved, decided_again
from forge.work.background.sweep.sweep import RULES
from forge.work.backlog.trackers.errands import ErrandItem
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.workspace import jobs
from forge.work.workspace.jobs import Job, LeasedJob, Unreadable


def every_kind(kind: type[Job]) -> Iterator[type[Job]]:
    for one in kind.__subclasses__():
        yield from every_kind(one)
        if one is not LeasedJob:
            yield one


def test_the_sweep_minds_every_kind_of_job() -> None:
    resending = [rule for rule in RULES.values() if isinstance(rule, partial) and rule.func is jobs.resend]

    assert {one.args[0] for one in resending} == set(every_kind(Job))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"workspaceId": "ws_1"}', '{"workspaceId": 1, "taskId": "task_1"}']
)
def test_a_message_about_no_job_is_put_aside(text: str) -> None:
    with pytest.raises(Unreadable):
        jobs.read(TaskItem, text)


def test_a_message_says_which_job_it_is_about() -> None:
    message = {"workspaceId": "ws_1", "issue": "repo_1#12", "added": "by a newer build"}

    assert jobs.read(ErrandItem, encode(message)) == ("ws_1", "repo_1#12")


def overtaken(times: int) -> Callable[[], str]:
    failures = iter([VersionMoved] * times)

    def decide() -> str:
        if failure := next(failures, None):
            raise failure
        return "decided"

    return decide


def test_what_was_overtaken_is_decided_again_so_many_times() -> None:
    assert decided_again(overtaken(3), tries=4) == "decided"
    with pytest.raises(VersionMoved):
        decided_again(overtaken(4), tries=4)
    with pytest.raises(Unavailable):
        decided_again(overtaken(4), tries=4, spent=Unavailable("Too many at once."))
