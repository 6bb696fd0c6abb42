"""attachments.initUpload."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import pytest

from forge.work.content.attachments.room import MAX_OF_TARGET, OF_TARGET, RoomItem
from tests.workshop.attachments import (
    a_comment,
    an_initiative,
    begun,
    item,
    listed,
    order_for,
    taken,
    with_quota,
)
from tests.workshop.cycles import a_cycle
from tests.workshop.issues import a_project, an_issue
from tests.workshop.office import Body, Office

MIB = 1024 * 1024


def test_an_upload_gets_a_url_for_exactly_this_file(office: Office) -> None:
    issue_id = an_issue(office)

    upload = office.call("attachments.initUpload", order_for(issue_id, filename="../a b.png", size=12))

    signed = parse_qs(urlsplit(upload["uploadUrl"]).query)
    attachment_id = upload["attachmentId"]
    place = f"{office.workspace.id}/attachments/issue/{issue_id}/{attachment_id}"
    assert upload.keys() == {"uploadUrl", "key", "attachmentId", "expiresInSeconds", "headers"}
    assert upload["key"] == f"{place}-.._a_b.png"
    assert (upload["expiresInSeconds"], signed["X-Amz-Expires"]) == (900, ["900"])
    assert upload["headers"] == {"Content-Type": "image/png", "Content-Length": "12"}
    assert signed["X-Amz-SignedHeaders"] == ["content-length;content-type;host"]
    assert listed(office, issue_id) == []


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"mimeType": "application/x-msdownload"}, "mimeType"),
        ({"filename": "a\nb"}, "filename"),
    ],
)
def test_a_file_that_is_too_large_or_of_another_type_is_refused(
    tableless_office: Office, wrong: Body, field: str
) -> None:
    order = order_for("iss_1") | wrong

    assert tableless_office.refused("attachments.initUpload", order) == (400, "invalid_input", {field})


def test_any_of_the_targets_will_do_by_its_name_too(office: Office) -> None:
    issue = office.call("issues.create", {"title": "Fix the login"})
    project_id = a_project(office)
    targets = [
        ("issue", issue["identifier"], issue["id"]),
        ("comment", said := a_comment(office), said),
        ("project", "Website", project_id),
        ("initiative", "fewer outages", an_initiative(office)),
        ("cycle", "sprint 1", a_cycle(office)),
    ]

    for kind, given, target_id in targets:
        upload = office.call("attachments.initUpload", order_for(given, kind))
        assert f"/attachments/{kind}/{target_id}/" in upload["key"]


@pytest.mark.parametrize("kind", ["issue", "comment", "project", "initiative", "cycle"])
def test_what_is_not_there_is_not_found(office: Office, other_office: Office, kind: str) -> None:
    foreign = an_issue(other_office) if kind == "issue" else "nothing"

    assert office.refused("attachments.initUpload", order_for(foreign, kind))[:2] == (404, "not_found")


def test_a_narrowed_key_attaches_only_to_what_it_may_see(office: Office) -> None:
    project_id, other_id = a_project(office), a_project(office, "OTHER")
    inside, outside = an_issue(office, projectId=project_id), an_issue(office)
    key = office.a_narrowed_key(project_ids=[project_id], initiative_ids=["ini_1"])
    hidden = [
        ("issue", outside),
        ("comment", a_comment(office, outside)),
        ("project", other_id),
        ("initiative", an_initiative(office)),
    ]

    for kind, target_id in hidden:
        assert office.refused("attachments.initUpload", order_for(target_id, kind), key=key)[0] == 403
    assert office.call("attachments.initUpload", order_for(inside), key=key)


def test_beyond_the_quota_nothing_is_begun_and_what_is_pending_counts(office: Office) -> None:
    issue_id = an_issue(with_quota(office, 1))
    begun(office, issue_id)
    rest = MIB - taken(office)

    too_much = office.refused("attachments.initUpload", order_for(issue_id, size=rest + 1))
    office.call("attachments.initUpload", order_for(issue_id, size=rest))
    full = office.refused("attachments.initUpload", order_for(issue_id, size=1))

    assert too_much[:2] == full[:2] == (422, "precondition_failed")
    assert taken(office) == MIB


def test_ten_at_once_never_exceed_the_quota(office: Office) -> None:
    issue_id = an_issue(with_quota(office, 1))
    order = order_for(issue_id, size=MIB // 3)

    with ThreadPoolExecutor(10) as crowd:
        answers = list(crowd.map(lambda _: office.send("attachments.initUpload", order).status, range(10)))

    assert sorted(answers) == [200] * 3 + [422] * 7
    assert (taken(office), taken(office, issue_id)) == (MIB // 3 * 3, 3)


def test_nothing_has_more_attachments_than_are_read_with_it(office: Office) -> None:
    issue_id = an_issue(office)
    place = OF_TARGET(office.workspace.id, "issue", issue_id)
    office.put(RoomItem(pk=place.partition, sk=place.sort, taken=MAX_OF_TARGET - 1))

    office.call("attachments.initUpload", order_for(issue_id))

    assert office.refused("attachments.initUpload", order_for(issue_id))[:2] == (422, "precondition_failed")


def test_whoever_begins_an_upload_is_known_and_the_log_has_it(office: Office) -> None:
    agent = office.an_agent()
    key, issue_id = office.an_agents_key(agent["id"]), an_issue(office)

    upload = office.call("attachments.initUpload", order_for(issue_id), key=key)

    kept, row = item(office, upload["attachmentId"]), office.log()[-1]
    assert kept
    assert (kept.created_by_id, kept.created_by_agent_id) == (None, agent["id"])
    assert (row.kind, row.subject_type, row.subject_id, row.action) == (
        None,
        "issue",
        issue_id,
        "begin-upload",
    )
