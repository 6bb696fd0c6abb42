"""The provider as the settings name it."""

import pytest

from functions.oauth.people.providers import IdentityProvider, Misconfigured, read

GOOD = {"FORGE_OIDC_ISSUER": "https://idp.example.com/realms/acme", "FORGE_OIDC_CLIENT_ID": "forge"}


def test_without_settings_there_is_none() -> None:
    assert read({}, own_machine=False) is None


def test_what_is_named_is_asked_beneath_its_issuer() -> None:
    found = read(GOOD, own_machine=False)

    assert found is not None
    assert found.discovery_url == "https://idp.example.com/realms/acme/.well-known/openid-configuration"
    assert found.groups_claim == "groups"


def test_any_tenant_is_asked_where_all_are_asked() -> None:
    found = IdentityProvider("https://login.microsoftonline.com/{tenantid}/v2.0", "forge")

    assert found.discovery_url.startswith("https://login.microsoftonline.com/organizations/v2.0/.well-known/")


@pytest.mark.parametrize("missing", GOOD)
def test_half_a_provider_is_none(missing: str) -> None:
    with pytest.raises(Misconfigured):
        read({**GOOD, missing: ""}, own_machine=False)


@pytest.mark.parametrize(
    "issuer",
    [
        "http://idp.example.com",
        "https://u:p@idp.example.com",
        "https://x.example.com?a=b",
        "ftp://x",
        "https://[",
        "https://localhost",
    ],
)
def test_an_issuer_is_an_https_address_elsewhere(issuer: str) -> None:
    with pytest.raises(Misconfigured):
        read({**GOOD, "FORGE_OIDC_ISSUER": issuer}, own_machine=True)


HERE = {**GOOD, "FORGE_OIDC_ISSUER": "http://127.0.0.1:9120"}


def test_a_provider_on_this_machine_is_for_a_machine_of_ones_own_that_says_so() -> None:
    found = read({**HERE, "FORGE_OIDC_LOOPBACK": "1"}, own_machine=True)

    assert found is not None
    assert found.allow.loopback
    for environment, own in ((HERE, True), ({**HERE, "FORGE_OIDC_LOOPBACK": "1"}, False)):
        with pytest.raises(Misconfigured):
            read(environment, own_machine=own)
