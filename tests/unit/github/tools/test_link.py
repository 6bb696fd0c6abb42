"""An issue is linked with something on GitHub once, as it is there now."""

from tests.unit.github.tools.hubs import Hub
from tests.workshop.interference import COMMIT, Interference, once_before
from tests.workshop.office import Body, Office

URL = "https://github.com/acme/app/issues/1"


def test_a_link_takes_one_look_at_github_and_a_title_is_one_line(hub: Hub) -> None:
    number, issue_id = hub.app.add_issue("Login\nhangs"), hub.an_issue()

    made = hub.link(issue_id, number, "SOURCE")

    assert (made["resource"]["title"], made["resource"]["url"]) == ("Login hangs", URL)
    assert (made["link"]["issueId"], made["link"]["kind"]) == (issue_id, "SOURCE")
    assert [one.method for one in hub.github.requests] == ["GET"]


def test_whoever_follows_the_issue_is_told(hub: Hub) -> None:
    number, issue_id = hub.app.add_issue("Login hangs"), hub.an_issue()

    resource = hub.link(issue_id, number, "IMPLEMENTS")["resource"]

    (told,) = [row for row in hub.office.log() if row.action == "link"]
    assert (told.kind, told.issue_id) == ("ISSUE_UPDATED", issue_id)
    assert told.payload == {
        "source": "github",
        "change": "external-resource-linked",
        "externalResourceId": resource["id"],
        "linkKind": "IMPLEMENTS",
        "resourceType": "ISSUE",
        "repo": "acme/app",
        "number": 1,
        "url": URL,
    }


def test_the_same_link_is_made_once_and_another_kind_is_another(hub: Hub) -> None:
    number, issue_id = hub.app.add_issue("Login hangs"), hub.an_issue()
    first = hub.link(issue_id, number)
    hub.app.change_issue(number, title="Login hangs on Safari")

    again = hub.link(issue_id, number)
    other = hub.link(issue_id, number, "SOURCE")

    assert again["link"] == first["link"]
    assert again["resource"]["title"] == "Login hangs on Safari"
    assert other["link"]["id"] != first["link"]["id"]
    assert other["resource"]["id"] == first["resource"]["id"]
    listed = hub.office.rows("github.listLinked", {"issueId": issue_id})
    assert [one["kind"] for one in listed] == ["RELATES_TO", "SOURCE"]
    assert [one["externalResource"]["id"] for one in listed] == [first["resource"]["id"]] * 2


def test_linking_again_does_not_swallow_what_a_rule_is_about(hub: Hub) -> None:
    hub.configure(statusRules={"issueClosedStatusId": hub.status_id("Done")})
    number, issue_id = hub.app.add_issue("Login hangs"), hub.an_issue()
    resource = hub.link(issue_id, number)["resource"]
    hub.app.change_issue(number, state="closed")

    hub.link(hub.an_issue("Another"), number)
    hub.office.call("github.sync", {"externalResourceId": resource["id"]})

    assert hub.status_of(issue_id) == "Done"


def test_two_who_link_the_same_at_once_have_one_link(contested: tuple[Hub, Interference]) -> None:
    hub, interference = contested
    number, issue_id = hub.app.add_issue("Login hangs"), hub.an_issue()
    quicker: list[Body] = []
    interference.handle = once_before(COMMIT, lambda: quicker.append(hub.link(issue_id, number)))

    slower = hub.link(issue_id, number)

    assert [slower] == quicker
    assert len(hub.office.rows("github.listLinked", {"issueId": issue_id})) == 1


def test_an_issue_s_address_of_a_pull_request_is_refused(hub: Hub) -> None:
    number, issue_id = hub.app.add_pull("mend", title="Mend the login"), hub.an_issue()

    refused = hub.office.refused("github.link", {"issueId": issue_id, "url": URL})
    linked = hub.link(issue_id, number, "IMPLEMENTS", what="pull")

    assert refused == (400, "invalid_input", {"url"})
    metadata = linked["resource"]["metadata"]
    assert (metadata["draft"], metadata["merged"], metadata["branch"]) == (False, False, "mend")


def test_what_is_not_there_is_not_found_and_changes_nothing(hub: Hub, other_office: Office) -> None:
    hub.app.add_issue("Login hangs")
    issue_id = hub.an_issue()
    before = len(hub.office.log())

    def refused(url: str, **more: str) -> int:
        return hub.office.refused("github.link", {"issueId": issue_id, "url": url, **more})[0]

    assert refused("https://github.com/acme/app/issues/7") == 404
    assert refused("https://github.com/acme/other/issues/1") == 404
    assert refused("https://github.com/acme/other/issues/1", mappingId=hub.mapping_id) == 404
    assert other_office.refused("github.link", {"issueId": issue_id, "url": URL})[0] == 404
    assert refused("https://evil.example/acme/app/issues/1") == 400
    assert len(hub.office.log()) == before


def test_a_paused_mapping_is_as_good_as_none(hub: Hub) -> None:
    hub.app.add_issue("Login hangs")
    hub.office.call("repositories.update", {"id": hub.mapping_id, "paused": True})

    refused = hub.office.refused("github.link", {"issueId": hub.an_issue(), "url": URL})

    assert refused[:2] == (404, "not_found")
    assert hub.asked() == 0
    assert hub.office.rows("github.listMappings") == []
    (shown,) = hub.office.rows("github.listMappings", {"includePaused": True})
    assert (shown["target"], shown["status"]) == ("acme/app", "paused")


def test_an_issue_that_the_key_may_not_see_is_refused_before_github_is_asked(hub: Hub) -> None:
    hub.app.add_issue("Login hangs")
    key = hub.office.a_narrowed_key(project_ids=["prj_elsewhere"])

    refused = hub.office.refused("github.link", {"issueId": hub.an_issue(), "url": URL}, key=key)

    assert refused[:2] == (403, "forbidden")
    assert hub.asked() == 0


def test_failures_of_github_say_what_to_do(hub: Hub) -> None:
    hub.app.add_issue("Login hangs")
    issue_id = hub.an_issue()

    def refused(status: int, **headers: str) -> tuple[int, str]:
        hub.github.fails_once("GET", "/issues/1$", status=status, headers=headers)
        return hub.office.refused("github.link", {"issueId": issue_id, "url": URL})[:2]

    assert refused(403) == (422, "precondition_failed")
    assert refused(429, **{"Retry-After": "3000"}) == (429, "rate_limited")


def test_an_issue_has_so_many_links_and_no_more(hub: Hub) -> None:
    issue_id = hub.an_issue()
    for number in range(1, 22):
        hub.app.add_issue(f"Number {number}")
    for number in range(1, 21):
        hub.link(issue_id, number)

    over = {"issueId": issue_id, "url": "https://github.com/acme/app/issues/21"}

    assert hub.office.refused("github.link", over)[:2] == (422, "precondition_failed")
