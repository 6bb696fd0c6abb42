"""A narrowed key sees the artifacts of issues that it may see, and no others."""

from forge.work.content.artifacts.artifacts import ArtifactStatus, ArtifactType
from tests.unit.artifacts.test_list import listed
from tests.workshop.artifacts import stored_artifacts
from tests.workshop.issues import stored_issues
from tests.workshop.office import Office

SPEC, ACCEPTED = ArtifactType.SPEC, ArtifactStatus.ACCEPTED


def test_artifacts_of_its_projects_or_labels_are_listed(office: Office) -> None:
    (of_project,) = stored_issues(office, 1, project_id="prj_1")
    (of_label,) = stored_issues(office, 1, project_id="prj_2", label_ids=frozenset({"lbl_1", "lbl_9"}))
    (of_neither,) = stored_issues(office, 1, project_id="prj_2", label_ids=frozenset({"lbl_2"}))
    ids = stored_artifacts(office, [None, of_neither, of_label, of_project])

    assert listed(office, key=office.a_narrowed_key(project_ids=["prj_1"])) == ids[:1]
    assert listed(office, key=office.a_narrowed_key(label_ids=["lbl_1"])) == ids[1:2]
    both = office.a_narrowed_key(project_ids=["prj_1"], label_ids=["lbl_1"])
    assert listed(office, key=both) == ids[:2]


def test_filters_are_joined_with_the_narrowing(office: Office) -> None:
    (ours,) = stored_issues(office, 1, project_id="prj_1")
    (theirs,) = stored_issues(office, 1, project_id="prj_2")
    (wanted,) = stored_artifacts(office, [ours], type=SPEC, status=ACCEPTED)
    stored_artifacts(office, [ours], type=SPEC)
    stored_artifacts(office, [ours], type=SPEC, status=ArtifactStatus.ARCHIVED)
    stored_artifacts(office, [theirs], type=SPEC, status=ACCEPTED)
    key = office.a_narrowed_key(project_ids=["prj_1"])

    assert listed(office, key=key, artifactType=SPEC, status=ACCEPTED) == [wanted]
