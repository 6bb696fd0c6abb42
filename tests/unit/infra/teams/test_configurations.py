"""A place has a file of its own, which says all that is deployed, and where."""

from pathlib import Path

import pytest

from infra.teams.configurations import BadConfiguration, Configuration, Place

PROD = Place("alpha", "prod")
ACCOUNT, REGION = "123456789012", "eu-central-1"


def written(folder: Path, **parameters: str) -> Path:
    file = PROD.file(folder)
    Configuration.of(PROD, ACCOUNT, REGION, **parameters).write(PROD, file)
    return file


@pytest.mark.parametrize(
    ("team", "environment"),
    [
        ("", "prod"),
        ("Alpha", "prod"),
        ("a b", "prod"),
        ("../x", "prod"),
        ("alpha", ""),
        ("alpha", "pre-prod"),
    ],
)
def test_what_is_no_name_of_a_place_is_refused(team: str, environment: str) -> None:
    with pytest.raises(BadConfiguration):
        Place(team, environment)


def test_no_two_places_share_a_file() -> None:
    assert str(Place("alpha-b", "c")) == "alpha-b-c"
    with pytest.raises(BadConfiguration):
        Place("alpha", "b-c")


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    given = {"AlarmEmail": "ops@example.com", "WarmThroughput": "24000,8000", "RouterMode": "inline"}

    found = Configuration.read(written(tmp_path, **given))

    assert (found.account, found.region, found.stack) == (ACCOUNT, REGION, "forge-alpha-prod")
    assert found.parameters == given
    assert found.tags == {"application": "forge", "team": "alpha", "environment": "prod"}


def test_nothing_of_one_place_is_another_s_default(tmp_path: Path) -> None:
    written(tmp_path, AlarmEmail="ops@example.com")

    assert not Place("beta", "prod").file(tmp_path).exists()
    assert Configuration.of(Place("beta", "prod"), ACCOUNT, REGION).parameters == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NoSuchThing", "1"),
        ("RouterMode", "both"),
        ("AlarmEmail", "ops"),
        ("KmsKeyArn", "alias/mine"),
        ("RouterConcurrency", "many"),
        ("ThrottleRate", "0"),
        ("WarmThroughput", "24000"),
        ("DomainName", "x" * 65),
    ],
)
def test_what_the_template_would_not_take_is_refused_before_anything_is_built(
    name: str, value: str, tmp_path: Path
) -> None:
    file = written(tmp_path, **{name: value})

    with pytest.raises(BadConfiguration, match=name):
        Configuration.read(file)


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('account = "123456789012"', 'account = "12"'),
        ('account = "123456789012"', ""),
        ('region = "eu-central-1"', 'region = "Frankfurt"'),
        ('"team=alpha"', '"team"'),
        ("version = 0.1", "version = ["),
    ],
)
def test_a_file_that_somebody_broke_says_where(was: str, becomes: str, tmp_path: Path) -> None:
    file = written(tmp_path)
    file.write_text(file.read_text().replace(was, becomes))

    with pytest.raises(BadConfiguration, match=str(file)):
        Configuration.read(file)


def test_one_text_of_pairs_is_read_as_sam_reads_it(tmp_path: Path) -> None:
    file = written(tmp_path)
    text = file.read_text().replace(
        "parameter_overrides = [\n]", 'parameter_overrides = "RouterMode=inline Tracing=Active"'
    )
    file.write_text(text)

    assert Configuration.read(file).parameters == {"RouterMode": "inline", "Tracing": "Active"}


def test_the_file_that_the_guide_shows_is_one_that_is_written(tmp_path: Path) -> None:
    shown = Path(__file__).parents[4] / "docs" / "examples" / "deploy" / "alpha-prod.toml"

    again = written(tmp_path, **Configuration.read(shown).parameters)

    assert again.read_text() == shown.read_text()
