"""What the fake GitHub answers is read as the records say, and changed as the client asks."""

import pytest

from forge.github.calls import Calls, Site
from forge.github.client import GitHubRepository
from forge.github.failures import GitHubRefused, NotThere, OutOfReach
from forge.outbound.outbound import Outbound
from forge.testing.clock import NOON, FakeClock
from forge.testing.github import FakeGitHub
from tests.unit.github.asking import THIS_MACHINE, Asker
from tests.unit.outbound.sites import running_site

APP = "acme/app"


def test_an_issue_is_read_with_everything_that_matters(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    app.add_issue("Blocker")
    number = app.add_issue("Ship", body="Now", labels=["type:bug"], assignees=["hubot"], author="mona")
    app.block(number, by=1)

    issue = asker.repository(APP).issue(number)

    assert (issue.title, issue.body, issue.labels) == ("Ship", "Now", ("type:bug",))
    assert (issue.assignees, issue.author, issue.open_blockers) == (("hubot",), "mona", 1)
    assert (issue.is_open, issue.is_pull_request, issue.closed_at) == (True, False, None)
    assert asker.repository(APP).blockers(number) == [1]


def test_a_closed_blocker_blocks_nothing(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    app.add_issue("Blocker")
    app.block(app.add_issue("Ship"), by=1)

    asker.repository(APP).close_issue(1)

    assert asker.repository(APP).issue(2).open_blockers == 0
    assert asker.repository(APP).blockers(2) == []
    assert asker.repository(APP).issue(1).closed_at is not None


def test_open_issues_are_all_but_pulls_and_what_is_closed(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    for number in range(1, 131):
        app.add_issue(f"Issue {number}")
    app.add_branch("fix")
    app.add_pull("fix", title="A pull")
    app.change_issue(7, state="closed")

    found = [one.number for one in asker.repository(APP).open_issues()]

    assert found == [number for number in range(1, 131) if number != 7]


def test_what_changed_lately_comes_newest_first() -> None:
    clock = FakeClock()
    with FakeGitHub(now=clock) as github:
        app = github.add_repository(APP)
        app.add_issue("Old")
        app.add_issue("Touched")
        clock.advance(minutes=5)
        app.change_issue(2, title="Touched now")
        app.add_issue("New")
        clock.advance(minutes=5)
        repository = Asker(github).repository(APP)

        found = repository.recent_issues(NOON.replace(minute=1))

    assert [one.title for one in found] == ["New", "Touched now"]


def test_what_is_created_is_there(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    repository = asker.repository(APP)

    made = repository.create_issue(title="Ship", body="Now", labels=["priority:high"])
    comment = repository.create_comment(made.number, "Started")

    assert repository.issue(made.number) == made
    assert made.labels == ("priority:high",)
    assert repository.comments(made.number, since=made.created_at) == [comment]
    assert app.comments[made.number][0]["body"] == "Started"


def test_a_label_that_exists_is_as_good_as_made(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    repository = asker.repository(APP)

    repository.create_label("type:bug", color="d73a4a", description="Something is wrong")
    repository.create_label("Type:Bug", color="ffffff", description="Again")

    assert repository.label_names() == {"type:bug"}
    assert app.labels["type:bug"]["color"] == "d73a4a"


def test_labels_are_added_and_removed_and_what_is_missing_is_no_failure(
    asker: Asker, github: FakeGitHub
) -> None:
    app = github.add_repository(APP)
    app.add_issue("Ship", labels=["status:backlog"])
    repository = asker.repository(APP)

    repository.add_labels(1, ["status:in-progress", "help wanted"])
    repository.remove_label(1, "status:backlog")
    repository.remove_label(1, "status:backlog")
    repository.remove_label(1, "help wanted")

    assert app.labels_of(1) == ["status:in-progress"]


def test_a_branch_is_made_once(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    repository = asker.repository(APP)
    start = repository.branch_commit("main")
    assert start is not None
    assert repository.branch_commit("feature/1-ship it") is None

    repository.create_branch("feature/1-ship it", at=start)
    with pytest.raises(GitHubRefused) as caught:
        repository.create_branch("feature/1-ship it", at=start)

    assert repository.branch_commit("feature/1-ship it") == start
    assert (caught.value.status, caught.value.message) == (422, "Reference already exists")
    assert "feature/1-ship it" in app.branches


def test_a_pull_request_is_made_once_and_from_what_differs(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    app.add_branch("fix")
    repository = asker.repository(APP)
    app.has_commits = False
    with pytest.raises(GitHubRefused) as nothing_new:
        repository.create_pull(title="Fix", body="", branch="fix", base="main")
    app.has_commits = True

    made = repository.create_pull(title="Fix", body="Closes #1", branch="fix", base="main")
    with pytest.raises(GitHubRefused) as twice:
        repository.create_pull(title="Fix", body="", branch="fix", base="main")

    assert repository.open_pull_of("fix") == made
    assert (made.branch, made.base, made.is_merged) == ("fix", "main", False)
    assert "No commits between main and fix" in nothing_new.value.message
    assert "A pull request already exists for acme:fix." in twice.value.message


def test_a_merged_pull_request_is_closed_and_no_longer_the_branch_s(asker: Asker, github: FakeGitHub) -> None:
    app = github.add_repository(APP)
    app.add_branch("fix")
    number = app.add_pull("fix", title="Fix")

    app.merge(number)

    pull = asker.repository(APP).pull(number)
    assert (pull.is_merged, pull.state) == (True, "closed")
    assert asker.repository(APP).open_pull_of("fix") is None
    assert asker.repository(APP).issue(number).is_pull_request


def test_a_search_finds_words_in_this_repository_alone(asker: Asker, github: FakeGitHub) -> None:
    app, other = github.add_repository(APP), github.add_repository("acme/other")
    app.add_issue("Login times out", body="After an hour")
    app.add_issue("Logout")
    other.add_issue("Login times out")
    app.add_branch("fix")
    app.add_pull("fix", title="Login hour")
    repository = asker.repository(APP)

    both = repository.search("login hour", kind=None, most=1)
    pulls = repository.search("login", kind="pr", most=10)

    assert ([one.title for one in both.items], both.total) == (["Login times out"], 2)
    assert [one.title for one in pulls.items] == ["Login hour"]


def test_whoever_may_only_read_is_told_so(asker: Asker, github: FakeGitHub) -> None:
    github.add_repository(APP, can_push=False)
    repository = asker.repository(APP)

    assert (repository.facts().can_push, repository.facts().default_branch) == (False, "main")
    with pytest.raises(GitHubRefused) as caught:
        repository.create_issue(title="Ship", body="", labels=[])

    assert caught.value.status == 403


def test_what_is_not_there_is_said_so(asker: Asker, github: FakeGitHub) -> None:
    github.add_repository(APP)
    repository = asker.repository(APP)

    for missing in (repository.issue, repository.pull, repository.blockers):
        with pytest.raises(NotThere):
            missing(99)


def test_a_github_under_a_path_of_its_own_is_asked_there() -> None:
    with FakeGitHub(prefix="/api/v3") as github:
        app = github.add_repository(APP)
        for number in range(120):
            app.add_issue(f"Issue {number}")

        found = [*Asker(github).repository(APP).open_issues()]

    assert len(found) == 120


@pytest.mark.parametrize("body", [b"{}", b"[]", b"[5]", b'"text"', b"null", b'{"items": [{}]}'])
def test_what_is_no_github_gives_no_answer(body: bytes) -> None:
    with running_site() as site:
        paths = ("", "/issues/1", "/pulls/1", "/git/ref/heads/main")
        site.pages |= {f"/repos/acme/app{path}": (200, {}, body) for path in paths}
        site.pages["/search/issues?q=x+repo%3Aacme%2Fapp&per_page=5"] = (200, {}, body)
        calls = Calls(Outbound(), lambda: "tok", Site(f"http://127.0.0.1:{site.port}", THIS_MACHINE))
        repository = GitHubRepository(calls, APP)

        for ask in (
            repository.facts,
            lambda: repository.issue(1),
            lambda: repository.pull(1),
            lambda: repository.branch_commit("main"),
            lambda: repository.search("x", kind=None, most=5),
        ):
            with pytest.raises(OutOfReach):
                ask()


@pytest.mark.parametrize("body", [b"{}", b"[5]", b'"text"', b"null", b"[{}]"])
def test_nor_does_it_give_a_page(body: bytes) -> None:
    with running_site() as site:
        site.pages["/repos/acme/app/labels?per_page=100"] = (200, {}, body)
        calls = Calls(Outbound(), lambda: "tok", Site(f"http://127.0.0.1:{site.port}", THIS_MACHINE))

        with pytest.raises(OutOfReach):
            GitHubRepository(calls, APP).label_names()
