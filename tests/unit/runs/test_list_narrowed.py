"""A narrowed key sees the runs of issues that it may see, and no others."""

from tests.unit.runs.histories import AGENT, OTHER_AGENT, listed, stored_runs
from tests.workshop.issues import stored_issues
from tests.workshop.office import Office


def test_runs_of_its_projects_or_labels_are_listed(office: Office) -> None:
    (of_project,) = stored_issues(office, 1, project_id="prj_1")
    (of_label,) = stored_issues(office, 1, project_id="prj_2", label_ids=frozenset({"lbl_1", "lbl_9"}))
    (of_neither,) = stored_issues(office, 1, project_id="prj_2", label_ids=frozenset({"lbl_2"}))
    (loose,) = stored_issues(office, 1)
    ids = stored_runs(office, [loose, of_neither, of_label, of_project])

    assert listed(office, key=office.a_narrowed_key(project_ids=["prj_1"])) == ids[:1]
    assert listed(office, key=office.a_narrowed_key(label_ids=["lbl_1"])) == ids[1:2]
    both = office.a_narrowed_key(project_ids=["prj_1"], label_ids=["lbl_1"])
    assert listed(office, key=both) == ids[:2]


def test_filters_are_joined_with_the_narrowing(office: Office) -> None:
    (ours,) = stored_issues(office, 1, project_id="prj_1")
    (theirs,) = stored_issues(office, 1, project_id="prj_2")
    (wanted,) = stored_runs(office, [ours], agent_id=AGENT, status="STALLED")
    stored_runs(office, [ours], agent_id=AGENT)
    stored_runs(office, [ours], agent_id=OTHER_AGENT, status="STALLED")
    stored_runs(office, [theirs], agent_id=AGENT, status="STALLED")
    key = office.a_narrowed_key(project_ids=["prj_1"])

    assert listed(office, key=key, agentId=AGENT, status="STALLED") == [wanted]
