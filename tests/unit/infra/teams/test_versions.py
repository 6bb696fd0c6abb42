"""Going back is moving aliases: all functions to what was live together, and as often as one likes."""

from collections import defaultdict
from typing import Any

import pytest

from infra.stack.publishing import ALIAS
from infra.teams.versions import BEFORE, NothingBefore, Published


class FakeAws:
    """A stack of two functions, as far as CloudFormation and Lambda tell of versions."""

    def __init__(self) -> None:
        self.template: dict[str, str] = {}
        self.versions: dict[str, list[str]] = defaultdict(lambda: ["$LATEST"])
        self.aliases: dict[str, dict[str, str]] = defaultdict(dict)

    def publish(self, **versions: str) -> None:
        """As CloudFormation does: it moves only the aliases that a change of the template is about."""
        for name, version in versions.items():
            self.versions[name].append(version)
            self.aliases[name][ALIAS] = version
        self.template |= versions

    def get_paginator(self, operation: str) -> Any:
        answers = {
            "list_stack_resources": self._resources,
            "list_aliases": self._aliases,
            "list_versions_by_function": self._versions,
        }
        return type("Paginator", (), {"paginate": staticmethod(answers[operation])})

    def _resources(self, **_: Any) -> list[Any]:
        arns = [f"arn:aws:lambda:eu-central-1:1:function:{name}:{one}" for name, one in self.template.items()]
        kind = "AWS::Lambda::Version"
        return [
            {"StackResourceSummaries": [{"ResourceType": kind, "PhysicalResourceId": arn} for arn in arns]}
        ]

    def _aliases(self, **given: Any) -> list[Any]:
        known = self.aliases[given["FunctionName"]].items()
        return [{"Aliases": [{"Name": name, "FunctionVersion": version} for name, version in known]}]

    def _versions(self, **given: Any) -> list[Any]:
        return [{"Versions": [{"Version": one} for one in self.versions[given["FunctionName"]]]}]

    def create_alias(self, **given: Any) -> None:
        assert given["FunctionVersion"] in self.versions[given["FunctionName"]]
        self.aliases[given["FunctionName"]][given["Name"]] = given["FunctionVersion"]

    def update_alias(self, **given: Any) -> None:
        self.create_alias(**given)

    def delete_function(self, **given: Any) -> None:
        assert given["Qualifier"] not in self.aliases[given["FunctionName"]].values()
        self.versions[given["FunctionName"]].remove(given["Qualifier"])


@pytest.fixture
def aws() -> FakeAws:
    return FakeAws()


def deploy(aws: FakeAws, **versions: str) -> Published:
    published = Published("forge-alpha-prod", aws, aws)
    before = published.live()
    aws.publish(**versions)
    published.settle()
    published.remember(before)
    return published


def test_everybody_goes_back_to_what_was_live_together(aws: FakeAws) -> None:
    deploy(aws, issues="1", router="1")
    deploy(aws, issues="2", router="2")
    published = deploy(aws, issues="3")

    assert published.back() == 1
    assert published.live() == {"issues": "2", "router": "2"}
    assert published.back() == 0


def test_the_way_forward_is_what_the_template_says(aws: FakeAws) -> None:
    deploy(aws, issues="1", router="1")
    published = deploy(aws, issues="2", router="2")
    published.back()

    assert published.settle() == 2
    assert published.live() == {"issues": "2", "router": "2"}


def test_a_deployment_after_going_back_leaves_nobody_behind(aws: FakeAws) -> None:
    deploy(aws, issues="1", router="1")
    deploy(aws, issues="2", router="2").back()

    published = deploy(aws, issues="3")

    assert published.live() == {"issues": "3", "router": "2"}
    assert published.back() == 2
    assert published.live() == {"issues": "1", "router": "1"}


def test_only_the_last_version_is_kept(aws: FakeAws) -> None:
    for number in ("1", "2", "3"):
        deploy(aws, issues=number)

    assert aws.versions["issues"] == ["$LATEST", "2", "3"]
    assert aws.aliases["issues"] == {ALIAS: "3", BEFORE: "2"}


def test_a_deployment_that_changed_nothing_keeps_the_way_back(aws: FakeAws) -> None:
    deploy(aws, issues="1")
    deploy(aws, issues="2")

    published = deploy(aws)

    assert published.back() == 1


def test_where_nothing_is_kept_it_says_so(aws: FakeAws) -> None:
    with pytest.raises(NothingBefore):
        deploy(aws, issues="1").back()


def test_a_way_back_for_some_functions_only_is_none(aws: FakeAws) -> None:
    """As after the first deployment over a build whose versions went with their successors."""
    deploy(aws, issues="1", router="1")
    published = Published("forge-alpha-prod", aws, aws)
    before = published.live()
    aws.publish(issues="2", router="2")
    aws.versions["router"].remove("1")
    published.remember(before)

    with pytest.raises(NothingBefore):
        published.back()
