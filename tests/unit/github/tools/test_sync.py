"""What happened on GitHub is carried over to all issues that are linked, and only that."""

from typing import Any

from forge.work.record.log.kinds import EventKind
from tests.unit.github.tools.hubs import Hub
from tests.workshop.interference import COMMIT, Interference, once_before
from tests.workshop.office import Body


def sync(hub: Hub, made: Body, **how: str) -> Body:
    return hub.office.call("github.sync", {"externalResourceId": made["resource"]["id"]}, **how)


def shown(hub: Hub, issue_id: str) -> Body:
    return hub.office.call("issues.get", {"id": issue_id, "include": {"description": True}})


def test_the_title_follows_where_the_issue_was_made_of_it(hub: Hub) -> None:
    number = hub.app.add_issue("Login hangs")
    imported, related = hub.import_issue(number), hub.an_issue("Mine")
    hub.link(related, number)
    hub.app.change_issue(number, title="Login hangs on Safari", labels=["bug"])

    synced = sync(hub, imported)

    assert (synced["title"], synced["labels"]) == ("Login hangs on Safari", ["bug"])
    assert shown(hub, imported["issueId"])["title"] == "Login hangs on Safari"
    assert shown(hub, related)["title"] == "Mine"
    found = hub.office.rows("issues.list", {"query": "safari"})
    assert [one["id"] for one in found] == [imported["issueId"]]
    (told,) = [row for row in hub.office.log() if row.action == "sync" and row.kind]
    assert (told.kind, told.payload["title"]) == (EventKind.ISSUE_UPDATED, "Login hangs on Safari")


def test_what_did_not_change_is_told_to_nobody(hub: Hub) -> None:
    imported = hub.import_issue(hub.app.add_issue("Login hangs"))
    told = [row.id for row in hub.office.log() if row.kind]
    hub.office.world.clock.advance(minutes=1)

    synced = sync(hub, imported)

    assert [row.id for row in hub.office.log() if row.kind] == told
    assert synced["lastSyncedAt"] > imported["resource"]["lastSyncedAt"]


def test_titles_stay_and_texts_follow_where_the_mapping_says_so(hub: Hub) -> None:
    number = hub.app.add_issue("Login hangs", body="Always.")
    imported = hub.import_issue(number)
    hub.configure(syncTitle=False, syncDescription=True)
    hub.app.change_issue(number, title="Another", body="Only on Safari.")

    sync(hub, imported)

    issue = shown(hub, imported["issueId"])
    assert issue["title"] == "Login hangs"
    assert issue["description"].endswith("> Only on Safari.")


def test_closing_and_reopening_move_every_linked_issue(hub: Hub) -> None:
    rules = {"issueClosedStatusId": hub.status_id("Done"), "issueReopenedStatusId": hub.status_id("Todo")}
    hub.configure(statusRules=rules)
    number = hub.app.add_issue("Login hangs")
    imported, related = hub.import_issue(number), hub.an_issue("Mine")
    hub.link(related, number)

    hub.app.change_issue(number, state="closed", title="Login hung")
    sync(hub, imported)
    closed = [hub.status_of(one) for one in (imported["issueId"], related)]
    hub.app.change_issue(number, state="open")
    sync(hub, imported)

    assert closed == ["Done", "Done"]
    assert [hub.status_of(one) for one in (imported["issueId"], related)] == ["Todo", "Todo"]
    assert shown(hub, imported["issueId"])["title"] == "Login hung"
    moved = [row.payload["via"] for row in hub.office.log() if row.kind is EventKind.ISSUE_STATUS_CHANGED]
    assert moved == ["github"] * 4


def test_a_merged_pull_request_moves_what_it_implements(hub: Hub) -> None:
    hub.configure(statusRules={"prMergedStatusId": hub.status_id("Done")})
    number, issue_id = hub.app.add_pull("mend", title="Mend it"), hub.an_issue()
    made = hub.link(issue_id, number, "IMPLEMENTS", what="pull")
    hub.app.merge(number)

    synced = sync(hub, made)

    assert (synced["state"], synced["metadata"]["merged"]) == ("closed", True)
    assert hub.status_of(issue_id) == "Done"


def test_a_rule_for_a_status_that_is_gone_is_ignored_and_said(hub: Hub) -> None:
    hub.keep_config(status_rules={"issue_closed_status_id": "sta_gone"})
    number = hub.app.add_issue("Login hangs")
    imported = hub.import_issue(number)
    hub.app.change_issue(number, state="closed")

    synced = sync(hub, imported)

    assert synced["state"] == "closed"
    assert len(synced["ignored"]) == 1
    assert hub.status_of(imported["issueId"]) == "Backlog"


def test_whoever_may_not_see_every_linked_issue_may_not_sync(hub: Hub) -> None:
    project = hub.office.call("projects.create", {"key": "WEB", "name": "Web"})["id"]
    number = hub.app.add_issue("Login hangs")
    imported = hub.import_issue(number, projectId=project)
    key = hub.office.a_narrowed_key(project_ids=[project])
    sync(hub, imported, key=key)
    hub.link(hub.an_issue("Elsewhere"), number)
    asked = hub.asked()

    refused = hub.office.refused("github.sync", {"externalResourceId": imported["resource"]["id"]}, key=key)

    assert refused[:2] == (403, "forbidden")
    assert hub.asked() == asked


def test_what_was_never_linked_or_is_gone_there_is_not_found(hub: Hub) -> None:
    imported = hub.import_issue(hub.app.add_issue("Login hangs"))
    del hub.app.issues[1]

    unknown = hub.office.refused("github.sync", {"externalResourceId": "ext_NONE"})
    gone = hub.office.refused("github.sync", {"externalResourceId": imported["resource"]["id"]})

    assert (unknown[:2], gone[:2]) == ((404, "not_found"), (404, "not_found"))


def test_whoever_died_half_way_has_the_rest_done_by_the_next(contested: tuple[Hub, Interference]) -> None:
    hub, interference = contested
    hub.configure(statusRules={"issueClosedStatusId": hub.status_id("Done")})
    number = hub.app.add_issue("Login hangs")
    imported, related = hub.import_issue(number), hub.an_issue("Mine")
    hub.link(related, number)
    hub.app.change_issue(number, state="closed")
    commits: list[int] = []

    def die_at_the_second(operation: str, parameters: Any, send: Any) -> dict[str, Any]:
        if operation == COMMIT:
            commits.append(1)
            if len(commits) == 2:
                raise KeyboardInterrupt
        answer: dict[str, Any] = send(**parameters)
        return answer

    interference.handle = die_at_the_second
    died = False
    try:
        sync(hub, imported)
    except KeyboardInterrupt:
        died = True
    interference.handle = once_before("nothing", lambda: None)
    halfway = {hub.status_of(one) for one in (imported["issueId"], related)}
    sync(hub, imported)

    assert died
    assert halfway == {"Done", "Backlog"}
    assert {hub.status_of(one) for one in (imported["issueId"], related)} == {"Done"}
