"""`make deploy` says what is missing before it builds anything, and asks only whoever sits at a terminal."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infra.deploy import Unprepared, configured, main, require_runtime
from infra.teams import accounts
from infra.teams.accounts import Account, NoAccount
from infra.teams.configurations import BadConfiguration, Configuration, Place

PROD = Place("alpha", "prod")
OURS = Account("123456789012", "arn:aws:sts::123456789012:assumed-role/deployer/ada")


def answering(*answers: str) -> Callable[[str], str]:
    given = iter(answers)
    return lambda question: next(given)


@pytest.fixture(autouse=True)
def _nobodys_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever whoever runs the tests has in their environment is not looked at."""
    for name in (
        "AWS_PROFILE",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_DEFAULT_REGION",
        "AWS_REGION",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def test_a_place_that_is_new_is_asked_for_and_never_again(tmp_path: Path) -> None:
    file = PROD.file(tmp_path)
    answers = answering("Frankfurt", "eu-central-1", "ops", "ops@example.com", "")

    first = configured(PROD, file, OURS, answers)

    assert (first.region, first.parameters) == ("eu-central-1", {"AlarmEmail": "ops@example.com"})
    assert configured(PROD, file, OURS, None) == first


def test_a_domain_is_asked_for_with_its_certificate(tmp_path: Path) -> None:
    certificate = "arn:aws:acm:eu-central-1:123456789012:certificate/1"
    answers = answering("eu-central-1", "", "forge.example.com", certificate, "Z1")

    found = configured(PROD, PROD.file(tmp_path), OURS, answers)

    assert found.parameters == {
        "DomainName": "forge.example.com",
        "CertificateArn": certificate,
        "HostedZoneId": "Z1",
    }


def test_where_nobody_can_be_asked_a_missing_file_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match=r"alpha-prod\.toml is missing"):
        configured(PROD, PROD.file(tmp_path), OURS, None)

    assert list(tmp_path.iterdir()) == []


def test_credentials_of_another_account_deploy_nothing(tmp_path: Path) -> None:
    file = PROD.file(tmp_path)
    Configuration.of(PROD, "210987654321", "eu-central-1").write(PROD, file)

    with pytest.raises(BadConfiguration, match="210987654321"):
        configured(PROD, file, OURS, None)


def test_without_credentials_it_says_how_to_get_some() -> None:
    with pytest.raises(NoAccount, match="AWS_PROFILE"):
        Account.reached()
    assert accounts.default_region() is None


def test_the_interpreter_that_functions_are_built_with_has_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shim = tmp_path / "python3.13"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unprepared, match=r"python3\.13"):
        require_runtime()

    shim.write_text("#!/bin/sh\necho Python 3.13.1\n")
    require_runtime()


@pytest.mark.parametrize("team", ["", "No Such Team"])
def test_a_command_without_a_team_ends_with_what_to_write(
    team: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["deploy", "--team", team, "--yes"])

    assert main() == 2
    assert "TEAM=" in capsys.readouterr().err
