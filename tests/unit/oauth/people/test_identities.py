"""Whom a token is about: what each provider vouches for, and what it does not."""

from typing import Any

import pytest

from functions.oauth.people.identities import identity_of
from functions.oauth.people.providers import IdentityProvider

ENTRA = "https://login.microsoftonline.com/3f2504e0-4f89-11d3-9a0c-0305e82c3301/v2.0"
GOOGLE = "https://accounts.google.com"


def an_identity(issuer: str = "https://idp.example.com", claim: str = "groups", **claims: Any) -> Any:
    return identity_of(
        {"iss": issuer, "sub": "1", **claims}, IdentityProvider(issuer, "forge", groups_claim=claim)
    )


@pytest.mark.parametrize("vouched", [True, "true"])
def test_a_verified_address_counts(vouched: object) -> None:
    found = an_identity(email="ada@Example.com", email_verified=vouched)

    assert (found.email, found.domain) == ("ada@Example.com", "example.com")


@pytest.mark.parametrize("vouched", [None, False, "false", 1, "yes"])
def test_an_address_that_nobody_vouches_for_is_none(vouched: object) -> None:
    found = an_identity(email="ada@example.com", email_verified=vouched)

    assert (found.email, found.domain) == (None, None)


@pytest.mark.parametrize("email", ["ada", "a b@example.com", "ada@@x.com", "ada@x", 7, "a" * 250 + "@x.com"])
def test_what_is_no_address_is_none(email: object) -> None:
    assert an_identity(email=email, email_verified=True).email is None


def test_entra_says_by_its_own_claim_that_a_domain_is_proven() -> None:
    assert an_identity(ENTRA, email="ada@example.com", xms_edov=True).email == "ada@example.com"
    assert an_identity(ENTRA, email="ada@example.com", xms_edov="1").domain == "example.com"
    assert an_identity(ENTRA, email="ada@example.com").email is None
    assert an_identity(email="ada@example.com", xms_edov=True).email is None


def test_with_google_the_organisation_is_whose_account_it_is_not_the_address() -> None:
    private = an_identity(GOOGLE, email="ada@example.com", email_verified=True)
    hosted = an_identity(GOOGLE, email="ada@example.com", email_verified=True, hd="example.com")

    assert (private.email, private.domain) == ("ada@example.com", None)
    assert hosted.domain == "example.com"


@pytest.mark.parametrize(
    ("said", "groups"),
    [
        (["a", "b"], {"a", "b"}),
        ("a", {"a"}),
        (None, set()),
        ({"a": 1}, set()),
        (["a", 7, ""], {"a"}),
        ([str(number) for number in range(1001)], set()),
    ],
)
def test_groups_are_a_list_or_one(said: object, groups: set[str]) -> None:
    assert an_identity(groups=said).groups == groups


def test_cognito_calls_its_groups_otherwise() -> None:
    claims: dict[str, Any] = {"cognito:groups": ["ops"], "groups": ["admins"]}

    found = an_identity(claim="cognito:groups", **claims)

    assert found.groups == {"ops"}


def test_a_name_is_shown_on_one_line() -> None:
    assert an_identity(name="Ada\n\x1b[31m Lovelace").name == "Ada[31m Lovelace"
    assert an_identity(name=7).name is None


def test_an_account_is_known_by_issuer_and_subject_together() -> None:
    accounts = {
        identity_of({"iss": iss, "sub": sub}, IdentityProvider(iss, "forge")).account
        for iss, sub in [("https://a", "b1"), ("https://a", "b"), ("https://ab", "1"), ("https://a1", "b")]
    }

    assert len(accounts) == 4


def test_a_domain_in_other_letters_is_none_that_a_rule_names() -> None:
    found = an_identity(email="ada@\u212aart.com", email_verified=True)

    assert (found.email, found.domain) == ("ada@\u212aart.com", None)


def test_entra_vouches_by_no_other_claim_than_its_own() -> None:
    """Which claims its tokens have besides, an organisation can say that is not ours."""
    found = an_identity(ENTRA, email="ada@example.com", email_verified=True, xms_edov=False)

    assert found.email is None
