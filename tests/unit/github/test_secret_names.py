"""A secret belongs to the workspace whose id its name begins with."""

import pytest

from forge.github import secret_names

ARN = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:"


@pytest.mark.parametrize(
    "given",
    [
        "forge/github/ws_1/token",
        "forge/github/ws_1/bots/first",
        f"{ARN}forge/github/ws_1/token-AbCdEf",
        "arn:aws-us-gov:secretsmanager:us-gov-west-1:123456789012:secret:forge/github/ws_1/token-AbCdEf",
    ],
)
def test_its_own_are_by_name_or_by_arn(given: str) -> None:
    assert secret_names.is_own("forge/", "ws_1", given)


@pytest.mark.parametrize(
    "given",
    [
        "forge/github/ws_2/token",
        "forge/github/ws_12/token",
        "forge/github/ws_1/",
        "forge/github/ws_1",
        "forge/tokens/ws_1/token",
        "x/forge/github/ws_1/token",
        "forge/github/ws_1/token*",
        "forge/github/ws_1/token\n",
        f"{ARN}forge/github/ws_2/token-AbCdEf",
        f"{ARN}x:secret:forge/github/ws_1/token-AbCdEf",
        "arn:aws:ssm:eu-central-1:123456789012:secret:forge/github/ws_1/token",
        "arn:aws:secretsmanager:eu-central-1:12:secret:forge/github/ws_1/token",
        "",
    ],
)
def test_another_s_and_what_is_no_name_are_not(given: str) -> None:
    assert not secret_names.is_own("forge/", "ws_1", given)


def test_the_app_s_secret_is_its_own() -> None:
    assert secret_names.is_own("forge/", "ws_1", secret_names.app_of("forge/", "ws_1"))


def test_two_deployments_in_one_account_use_nothing_of_each_other() -> None:
    app = secret_names.app_of("forge/forge-alpha/", "ws_1")

    assert app == "forge/forge-alpha/github/ws_1/app"
    assert secret_names.is_own("forge/forge-alpha/", "ws_1", f"{ARN}{app}-AbCdEf")
    for root in ("forge/forge-beta/", "forge/", "forge/forge-alpha-two/"):
        assert not secret_names.is_own(root, "ws_1", app)
    assert not secret_names.is_own("forge/forge-alpha/", "ws_1", "forge/github/ws_1/app")
