"""attachments.attachLink."""

from collections.abc import Iterator

import pytest

from tests.unit.outbound.sites import HTML, Site, running_site
from tests.workshop.attachments import linked, listed, taken
from tests.workshop.issues import an_issue
from tests.workshop.office import Office

HOST = "docs.example.com"


@pytest.fixture
def site(office: Office) -> Iterator[Site]:
    with running_site() as running:
        office.world.web.hosts[HOST] = running.port
        yield running
        del office.world.web.hosts[HOST]


def untitled(office: Office, issue_id: str, url: str = f"http://{HOST}/a") -> str:
    """What a link without a title is called."""
    order = {"targetType": "issue", "targetId": issue_id, "url": url}
    return str(office.call("attachments.attachLink", order)["linkTitle"])


def test_a_link_is_attached_as_the_contract_shows_it(office: Office) -> None:
    issue_id = an_issue(office)

    link = linked(office, issue_id)

    told = {"id": link["id"], "kind": "LINK", "filename": "The design", "mimeType": "text/url", "size": 0}
    assert (link["kind"], link["mimeType"], link["size"]) == ("LINK", "text/url", 0)
    assert link["externalUrl"] == link["url"] == "https://docs.example.com/a"
    assert (link["linkTitle"], link["targetId"]) == ("The design", issue_id)
    assert office.log()[-1].payload == {"attachment": told, "added": True}
    assert (listed(office, issue_id), taken(office)) == ([link["id"]], 0)


def test_without_a_title_the_pages_own_is_taken_through_redirects(office: Office, site: Site) -> None:
    site.pages["/a"] = (301, {"Location": "/b"}, b"")
    site.pages["/b"] = (200, HTML, b"<html><title> The\n page &amp; more </title>" + b"x" * 100_000)

    assert untitled(office, an_issue(office)) == "The page & more"
    assert [path for _, path, _, _ in site.asked] == ["/a", "/b"]


@pytest.mark.parametrize(
    "page",
    [
        (500, HTML, b"<title>Broken</title>"),
        (200, {"Content-Type": "image/png"}, b"<title>Broken</title>"),
        (302, {"Location": "http://169.254.169.254/latest/meta-data/"}, b""),
        (302, {"Location": "/a"}, b""),
    ],
)
def test_a_page_that_fails_is_called_by_its_host(
    office: Office, site: Site, page: tuple[int, dict[str, str], bytes]
) -> None:
    site.pages["/a"] = page

    assert untitled(office, an_issue(office)) == HOST
    assert len(site.asked) <= 6


def test_so_is_one_that_is_nowhere(office: Office) -> None:
    assert untitled(office, an_issue(office), "https://gone.example.org:8443/x") == "gone.example.org"


def test_with_a_title_nobody_is_asked(office: Office, site: Site) -> None:
    linked(office, an_issue(office), externalUrl=f"http://{HOST}/a")

    assert site.connections == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "http://[::ffff:127.0.0.1]/",
        "https://db.internal/",
        "https://user:password@example.com/",
        "javascript:alert(1)",
        "https://example.com\\@127.0.0.1/",
    ],
)
def test_what_names_something_private_is_refused_with_or_without_a_title(
    tableless_office: Office, url: str
) -> None:
    for title in ({}, {"linkTitle": "Harmless"}):
        order = {"targetType": "issue", "targetId": "iss_1", "externalUrl": url, **title}
        refused = tableless_office.refused("attachments.attachLink", order)
        assert refused == (400, "invalid_input", {"externalUrl"})


def test_who_may_not_see_the_issue_sends_nobody_out(office: Office, site: Site) -> None:
    key, issue_id = office.a_narrowed_key(project_ids=["prj_1"]), an_issue(office)
    order = {"targetType": "issue", "targetId": issue_id, "url": f"http://{HOST}/a"}

    assert office.refused("attachments.attachLink", order, key=key)[0] == 403
    assert office.refused("attachments.attachLink", {**order, "targetId": "DEMO-404"})[0] == 404
    assert site.connections == 0


def test_a_page_is_asked_once_even_when_the_change_has_to_be_made_again(office: Office) -> None:
    issue_id = an_issue(office)
    with running_site() as site:
        office.world.web.hosts[HOST] = site.port
        site.pages["/a"] = (200, HTML, b"<title>Once</title>")
        office.meanwhile(lambda: linked(office, issue_id))

        title = untitled(office, issue_id)

    assert title == "Once"
    assert len(site.asked) == 1
    assert (len(listed(office, issue_id)), taken(office, issue_id)) == (2, 2)


@pytest.mark.parametrize("name", ["url", "externalUrl"])
def test_what_is_wrong_with_the_address_is_said_under_the_name_that_it_came_by(
    office: Office, name: str
) -> None:
    link = {"targetType": "issue", "targetId": an_issue(office), name: "ftp://files.example/plan"}

    refused = office.refused("attachments.attachLink", link)

    assert refused[2] == {name}
