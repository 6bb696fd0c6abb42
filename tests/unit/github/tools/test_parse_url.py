"""An address on github.com says what it is of, whatever follows."""

import pytest

from forge.errors import InvalidInput
from forge.work.backlog.github.resources import ResourceType
from functions.github import rules
from tests.workshop.office import Office


def test_an_address_is_taken_apart(tableless_office: Office) -> None:
    given = "https://www.github.com/Acme/app.js/pull/12/files?w=1#diff"

    parsed = tableless_office.call("github.parseUrl", {"url": given})

    assert parsed == {
        "owner": "Acme",
        "repo": "app.js",
        "repoFullName": "Acme/app.js",
        "type": "PULL_REQUEST",
        "number": 12,
        "url": "https://github.com/Acme/app.js/pull/12",
    }


def test_only_github_s_own_hosts_are_known_without_a_mapping(tableless_office: Office) -> None:
    given = {"url": "https://github.com@evil.example/acme/app/issues/1"}

    assert tableless_office.refused("github.parseUrl", given) == (400, "invalid_input", {"url"})


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/app",
        "https://github.com/acme/app/issues/0",
        "https://github.com/acme/app/issues/12a",
        "https://github.com/acme/app/issues/99999999999",
        "ftp://github.com/acme/app/issues/1",
        "https://[github.com/acme/app/issues/1",
        "acme/app#1",
    ],
)
def test_what_is_no_address_of_an_issue_is_refused(url: str) -> None:
    with pytest.raises(InvalidInput):
        rules.address(url)


def test_leading_zeros_and_blanks_around_it_do_not_matter() -> None:
    found = rules.address(" http://github.com/acme/app/issues/007/ ")

    assert (found.type, found.number) == (ResourceType.ISSUE, 7)
