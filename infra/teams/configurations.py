"""What a team said about one of its environments: one file each, in the form that `sam deploy` reads.

No file is read for another one: what one team answered is nobody else's default.
"""

import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from infra.stack.parameters import PARAMETERS

FOLDER = Path(__file__).parents[2] / "deploy"

_TEAM = re.compile(r"[a-z][a-z0-9-]{0,30}")
_ENVIRONMENT = re.compile(r"[a-z][a-z0-9]{0,11}")
_ACCOUNT = re.compile(r"[0-9]{12}")
_REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-[0-9]")
_STACK = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,127}")
_TWO_NUMBERS = re.compile(r"[0-9]+,[0-9]+")
_HEAD = """\
# What `make deploy TEAM={team} ENV={environment}` deploys, and where; yours to change and to commit.
# template.yaml describes the parameters. SAM reads this file, too: `sam deploy --config-file`.
version = 0.1
account = {account}

[default.deploy.parameters]
"""
_FIXED: dict[str, Any] = {
    "capabilities": "CAPABILITY_IAM",
    "resolve_s3": True,
    # A stack that was never complete can only be deleted; one that was goes back to what it was.
    "on_failure": "DELETE",
    "confirm_changeset": False,
    "fail_on_empty_changeset": False,
}


class BadConfiguration(Exception):
    """What is wrong, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Place:
    """An environment of a team."""

    team: str
    environment: str

    def __post_init__(self) -> None:
        if not self.team:
            raise BadConfiguration("Say which team: make deploy TEAM=alpha [ENV=prod].")
        if not _TEAM.fullmatch(self.team):
            raise BadConfiguration(f"TEAM={self.team}: a team is at most 31 of a-z, 0-9, -; a letter first.")
        # Without a dash in it, no two of them have one name.
        if not _ENVIRONMENT.fullmatch(self.environment):
            raise BadConfiguration(
                f"ENV={self.environment}: an environment is at most 12 of a-z and 0-9, a letter first."
            )

    def __str__(self) -> str:
        return f"{self.team}-{self.environment}"

    def file(self, folder: Path = FOLDER) -> Path:
        return folder / f"{self}.toml"


@dataclass(frozen=True, slots=True)
class Configuration:
    account: str
    region: str
    stack: str
    tags: dict[str, str]
    parameters: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, place: Place, account: str, region: str, **parameters: str) -> "Configuration":
        """A new one. SAM gives its tags to everything in the stack that takes tags."""
        tags = {"application": "forge", "team": place.team, "environment": place.environment}
        return cls(account, region, f"forge-{place}", tags, parameters)

    @classmethod
    def read(cls, file: Path) -> "Configuration":
        try:
            document = tomllib.loads(file.read_text(encoding="utf-8"))
            given = document["default"]["deploy"]["parameters"]
            found = cls(
                str(document["account"]),
                given["region"],
                given["stack_name"],
                _pairs(given.get("tags", [])),
                _pairs(given.get("parameter_overrides", [])),
            )
        except (tomllib.TOMLDecodeError, KeyError, ValueError) as problem:
            said = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
            raise BadConfiguration(f"{file}: {said}. Mend it, or remove it and be asked again.") from None
        if problems := found.problems():
            raise BadConfiguration("\n".join(f"{file}: {one}" for one in problems))
        return found

    def write(self, place: Place, file: Path) -> None:
        settings = {"stack_name": self.stack, "region": self.region, **_FIXED}
        lists = {"tags": self.tags, "parameter_overrides": self.parameters}
        text = _HEAD.format(team=place.team, environment=place.environment, account=_toml(self.account))
        text += "".join(f"{name} = {_toml(value)}\n" for name, value in settings.items())
        for name, pairs in lists.items():
            lines = "".join(f"  {_toml(f'{key}={value}')},\n" for key, value in pairs.items())
            text += f"{name} = [\n{lines}]\n"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def problems(self) -> list[str]:
        checks = {
            "account": (_ACCOUNT, self.account, "twelve digits"),
            "region": (_REGION, self.region, "a region such as eu-central-1"),
            "stack_name": (_STACK, self.stack, "letters, digits and dashes, a letter first"),
        }
        wrong = [
            f"{name} is {given!r} instead of {wanted}"
            for name, (pattern, given, wanted) in checks.items()
            if not pattern.fullmatch(given)
        ]
        return wrong + [said for name, value in self.parameters.items() if (said := problem_of(name, value))]


def problem_of(parameter: str, value: str) -> str | None:
    """Why the template would not take it: to be heard of before anything is built."""
    if parameter not in PARAMETERS:
        return f"there is no parameter {parameter}; template.yaml has them all"
    wanted = PARAMETERS[parameter]
    allowed = [str(one) for one in wanted.get("AllowedValues", ())]
    if allowed and value not in allowed:
        return f"{parameter} is {value!r} instead of one of {', '.join(allowed)}"
    if "AllowedPattern" in wanted and not re.fullmatch(wanted["AllowedPattern"], value):
        return f"{parameter} is {value!r}, which it can't be: {wanted['Description']}"
    if len(value) > wanted.get("MaxLength", len(value)):
        return f"{parameter} is longer than {wanted['MaxLength']} characters"
    if wanted["Type"] == "CommaDelimitedList" and not _TWO_NUMBERS.fullmatch(value):
        return f"{parameter} is {value!r} instead of two numbers, as 24000,8000"
    if wanted["Type"] == "Number" and not (value.isdigit() and int(value) >= wanted.get("MinValue", 0)):
        return f"{parameter} is {value!r} instead of a number"
    return None


def _pairs(given: list[str] | str) -> dict[str, str]:
    """SAM takes one text of several pairs as well."""
    pairs = given.split() if isinstance(given, str) else given
    if wrong := [one for one in pairs if "=" not in one]:
        raise ValueError(f"{wrong[0]!r} is no name=value")
    return {name: value.strip('"') for name, _, value in (one.partition("=") for one in pairs)}


def _toml(value: str | bool) -> str:
    """What TOML and JSON write alike."""
    return json.dumps(value, ensure_ascii=False)
