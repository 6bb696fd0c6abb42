"""GitHub is asked again where that helps, never longer than the call, and nobody else gets the token."""

import pytest

from forge import deadline
from forge.github.calls import MAX_ANSWER_BYTES, Calls, Site
from forge.github.failures import Exhausted, GitHubRefused, NotThere, OutOfReach
from forge.outbound.addresses import Exceptions
from forge.outbound.outbound import Outbound
from forge.testing.github import FakeGitHub
from tests.unit.github.asking import THIS_MACHINE, Asker
from tests.unit.outbound.sites import running_site

ISSUES = "/repos/acme/app/issues"
LIMITED = {"X-RateLimit-Remaining": "0", "Retry-After": "2"}


def test_what_is_sent_says_which_interface_who_and_what(github: FakeGitHub) -> None:
    with running_site() as site:
        site.pages["/api/v3/x"] = (200, {}, b"{}")
        calls = Calls(Outbound(), lambda: "tok", Site(f"http://127.0.0.1:{site.port}/api/v3/", THIS_MACHINE))

        calls.post("/x", {"title": "Grüße"})

    [(method, path, headers, body)] = site.asked
    assert (method, path, body.decode()) == ("POST", "/api/v3/x", '{"title":"Grüße"}')
    assert headers["accept"] == "application/vnd.github+json"
    assert headers["authorization"] == "Bearer tok"
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"] == "forge"
    assert headers["x-github-api-version"] == "2022-11-28"


def test_pages_are_followed_to_the_last_one(github: FakeGitHub, asker: Asker) -> None:
    app = github.add_repository("acme/app")
    for number in range(230):
        app.add_issue(f"Issue {number}")

    pages = [*asker.calls.pages(ISSUES, {"per_page": 100, "direction": "asc"})]

    assert [len(page) for page in pages] == [100, 100, 30]
    assert [one["number"] for page in pages for one in page] == [*range(1, 231)]
    assert len(github.requests) == 3


def test_a_next_page_at_another_server_is_not_asked() -> None:
    with running_site() as site, running_site() as other:
        link = f'<http://127.0.0.1:{other.port}/x?page=2>; rel="next"'
        site.pages["/x"] = (200, {"Link": link}, b"[]")
        calls = Calls(Outbound(), lambda: "tok", Site(f"http://127.0.0.1:{site.port}", THIS_MACHINE))

        with pytest.raises(GitHubRefused):
            [*calls.pages("/x")]

    assert other.asked == []


def test_a_page_of_a_hundred_long_issues_is_read_whole(github: FakeGitHub, asker: Asker) -> None:
    app = github.add_repository("acme/app")
    for number in range(100):
        app.add_issue(f"Issue {number}", body="x" * 30_000)

    [page] = asker.calls.pages(ISSUES, {"per_page": 100})

    assert sum(len(one["body"]) for one in page) == 3_000_000


def test_an_answer_without_end_is_refused() -> None:
    with running_site() as site:
        site.pages["/x"] = (200, {}, b'"' + b"x" * MAX_ANSWER_BYTES + b'"')
        calls = Calls(Outbound(), lambda: "tok", Site(f"http://127.0.0.1:{site.port}", THIS_MACHINE))

        with pytest.raises(GitHubRefused):
            calls.get("/x")


@pytest.mark.parametrize("body", [b"", b"[1, 2", b"<html>"])
def test_an_answer_that_is_not_all_there_is_none(body: bytes) -> None:
    with running_site() as site:
        site.pages["/x"] = (200, {}, body)
        slept: list[float] = []
        site_of = Site(f"http://127.0.0.1:{site.port}", THIS_MACHINE)
        calls = Calls(Outbound(), lambda: "tok", site_of, sleep=slept.append)

        with pytest.raises(OutOfReach):
            calls.get("/x")

    assert (len(site.asked), len(slept)) == (4, 3)


def test_a_read_is_asked_again_after_failures_of_github(github: FakeGitHub, asker: Asker) -> None:
    github.add_repository("acme/app").add_issue("Ship")
    github.fails_once("GET", "/issues$", status=502)
    github.fails_once("GET", "/issues$", after_doing=True)

    found = asker.calls.get(ISSUES)

    assert [one["title"] for one in found] == ["Ship"]
    assert len(asker.slept) == 2
    assert asker.slept[0] < asker.slept[1]


def test_a_deed_whose_answer_was_lost_is_not_done_twice(github: FakeGitHub, asker: Asker) -> None:
    app = github.add_repository("acme/app")
    github.fails_once("POST", "/issues$", after_doing=True)

    with pytest.raises(OutOfReach):
        asker.calls.post(ISSUES, {"title": "Ship"})

    assert (len(app.issues), len(github.requests), asker.slept) == (1, 1, [])


def test_a_deed_that_harms_nobody_twice_is_repeated_when_its_answer_was_lost(
    github: FakeGitHub, asker: Asker
) -> None:
    app = github.add_repository("acme/app")
    app.add_issue("Ship")
    github.fails_once("POST", "/labels$", after_doing=True)

    asker.repository("acme/app").add_labels(1, ["type:bug"])

    assert app.labels_of(1) == ["type:bug"]
    assert [one.method for one in github.requests] == ["POST", "POST"]


def test_a_deed_that_a_limit_stopped_is_done_when_it_is_over(github: FakeGitHub, asker: Asker) -> None:
    app = github.add_repository("acme/app")
    github.fails_once("POST", "/issues$", status=403, headers=LIMITED)
    github.fails_once("POST", "/issues$", status=429, headers=LIMITED)

    asker.calls.post(ISSUES, {"title": "Ship"})

    assert (len(app.issues), asker.slept) == (1, [2.0, 2.0])


def test_a_limit_that_outlasts_the_call_is_told_and_not_waited_for(github: FakeGitHub, asker: Asker) -> None:
    github.add_repository("acme/app")
    github.fails_once("GET", "/issues$", status=403, headers=LIMITED | {"Retry-After": "40"})
    begun = deadline.begin(25.0)

    with pytest.raises(Exhausted) as caught:
        asker.calls.get(ISSUES)

    deadline.end(begun)
    assert (caught.value.retry_after_seconds, asker.slept, len(github.requests)) == (40, [], 1)


def test_nothing_is_asked_when_the_call_is_nearly_over(github: FakeGitHub, asker: Asker) -> None:
    begun = deadline.begin(1.0)

    with pytest.raises(OutOfReach):
        asker.calls.get(ISSUES)

    deadline.end(begun)
    assert github.requests == []


def test_another_token_is_refused_once(github: FakeGitHub) -> None:
    github.add_repository("acme/app")
    stranger = Asker(github, token="ghp_of_nobody")

    with pytest.raises(GitHubRefused) as caught:
        stranger.calls.get(ISSUES)

    assert (caught.value.status, len(github.requests)) == (401, 1)


def test_a_failure_says_what_github_says_and_never_the_token(github: FakeGitHub, asker: Asker) -> None:
    errors = [{"code": "already_exists", "field": "name"}, {"message": f"token {github.token}"}, "plain"]
    body = {"message": "Validation Failed", "errors": errors}
    github.fails_once("GET", "/issues$", status=422, body=body)
    github.fails_once("GET", "/issues$", status=422, body={"message": "long " * 200})

    with pytest.raises(GitHubRefused) as caught:
        asker.calls.get(ISSUES)
    with pytest.raises(GitHubRefused) as long:
        asker.calls.get(ISSUES)

    assert caught.value.message == "Validation Failed: already_exists (name), token …, plain"
    assert len(long.value.message) == 300


@pytest.mark.parametrize("token", ["ghp_with\nanother line", "ghp_with space", "ghp_wíth"])
def test_a_token_that_is_no_header_is_neither_sent_nor_told(github: FakeGitHub, token: str) -> None:
    asker = Asker(github, token=token)

    with pytest.raises(GitHubRefused) as caught:
        asker.calls.get(ISSUES)

    assert (token[:5] in caught.value.message, github.requests) == (False, [])


def test_a_renamed_repository_is_found_and_not_written_to(github: FakeGitHub, asker: Asker) -> None:
    app = github.add_repository("acme/app")
    app.add_issue("Ship")
    github.rename("acme/app", "acme/new")

    assert asker.calls.get(f"{ISSUES}/1")["title"] == "Ship"
    with pytest.raises(GitHubRefused) as caught:
        asker.calls.post(ISSUES, {"title": "Twice"})

    assert (caught.value.status, len(app.issues)) == (307, 1)


def test_a_redirect_to_another_server_does_not_get_the_token() -> None:
    with running_site() as site, running_site() as other:
        site.pages["/x"] = (301, {"Location": f"http://127.0.0.1:{other.port}/y"}, b"")
        other.pages["/y"] = (200, {}, b"{}")
        calls = Calls(Outbound(), lambda: "tok", Site(f"http://127.0.0.1:{site.port}", THIS_MACHINE))

        calls.get("/x")

    [(_, _, headers, _)] = other.asked
    assert "authorization" not in headers
    assert site.asked[0][2]["authorization"] == "Bearer tok"


def test_a_private_github_is_not_asked_unless_it_is_excepted(github: FakeGitHub) -> None:
    calls = Calls(Outbound(), lambda: github.token, Site(github.base_url, Exceptions()))

    with pytest.raises(GitHubRefused):
        calls.get(ISSUES)

    assert github.requests == []


def test_what_is_not_there_is_not_there(github: FakeGitHub, asker: Asker) -> None:
    with pytest.raises(NotThere):
        asker.calls.get(ISSUES)
