"""What has to be read before an issue can be given away."""

import pytest

from forge.store.readings import NeverRead
from forge.testing.builders import (
    a_body,
    a_change,
    a_label,
    a_run,
    an_agent,
    an_issue,
)
from forge.work.issues import assignments
from forge.work.issues.watchers import WatchItem
from tests.workshop.outcomes import at_work, given_to

WORKER, OTHER = an_agent(), an_agent("other")
OF_OTHER = given_to(an_issue(), OTHER)


def test_what_an_assignment_says_it_needs_is_what_it_needs() -> None:
    """Each of these is missed where it was not fetched."""
    former = a_run(agent_id=OTHER.id)
    issue = at_work(OF_OTHER.changed(label_ids=frozenset({"lbl_bug"})), former)
    whole = [WORKER, OTHER, former, a_body(), a_label("bug")]
    watch = WatchItem.at(issue.workspace_id, issue.id, WORKER.id)

    needed = set(assignments.needs(issue, WORKER.id))

    assert needed == {*(item.key for item in whole), watch}
    for lacking in (former, a_body(), a_label("bug")):
        change = a_change(issue, holding=[one for one in whole if one != lacking], knowing_absent=[watch])
        with pytest.raises(NeverRead):
            assignments.assign(change, WORKER)
    with pytest.raises(NeverRead):
        assignments.assign(a_change(issue, holding=whole), WORKER)


def test_taking_an_issue_back_needs_only_who_had_it() -> None:
    former = a_run(agent_id=OTHER.id)

    assert set(assignments.needs(at_work(OF_OTHER, former), None)) == {OTHER.key, former.key}
