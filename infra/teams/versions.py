"""Which versions of its functions a stack runs: as its template says, or those before the last deployment.

Callers reach the alias `live`. A second alias, `before`, keeps the versions that were live when a deployment
began to change any, so that going back is moving aliases: nothing is built, uploaded or started. Each step
can be done again; whoever dies half-way repeats the command.
"""

from dataclasses import dataclass
from typing import Any

from infra.stack.publishing import ALIAS

BEFORE = "before"
_LATEST = "$LATEST"

Versions = dict[str, str]
"""By function."""


class NothingBefore(Exception):
    """There is no way back yet."""


@dataclass(frozen=True, slots=True)
class Published:
    """The functions of a stack that have versions."""

    stack: str
    cloudformation: Any
    functions: Any

    def live(self) -> Versions:
        return self._led_to(ALIAS)

    def settle(self) -> int:
        """Have callers reach what the template says; after going back, CloudFormation would not notice."""
        return self._move(self._deployed())

    def back(self) -> int:
        """Have callers reach what was live before the last deployment; how many functions that changed."""
        kept = self._led_to(BEFORE)
        if not kept:
            raise NothingBefore(f"No version before the last deployment of {self.stack} is kept.")
        return self._move(kept)

    def remember(self, before: Versions) -> None:
        """Keep these for the way back, if something else is live by now, and nothing that is older."""
        now = self.live()
        kept = {name: version for name, version in before.items() if name in now}
        # All or none: a way back for some functions only would lead to a mixture that never ran.
        if kept and kept != now and all(version in self._versions(name) for name, version in kept.items()):
            for name, version in kept.items():
                self._point(name, BEFORE, version)
        for name in now:
            used = {_LATEST, *self._aliases(name).values()}
            for version in self._versions(name):
                if version not in used:
                    self.functions.delete_function(FunctionName=name, Qualifier=version)

    def _led_to(self, alias: str) -> Versions:
        aliases = {name: self._aliases(name) for name in self._deployed()}
        return {name: known[alias] for name, known in aliases.items() if alias in known}

    def _move(self, wanted: Versions) -> int:
        live = self.live()
        moved = [name for name, version in wanted.items() if live.get(name, version) != version]
        for name in moved:
            self._point(name, ALIAS, wanted[name])
        return len(moved)

    def _point(self, function: str, alias: str, version: str) -> None:
        named = {"FunctionName": function, "Name": alias, "FunctionVersion": version}
        if alias not in self._aliases(function):
            self.functions.create_alias(**named)
            return
        # All calls to the one, also where a canary left some of them with another.
        self.functions.update_alias(**named, RoutingConfig={"AdditionalVersionWeights": {}})

    def _deployed(self) -> Versions:
        """As the template has it: `arn:…:function:name:7`."""
        pages = self.cloudformation.get_paginator("list_stack_resources").paginate(StackName=self.stack)
        made = [one for page in pages for one in page["StackResourceSummaries"]]
        versions = [one for one in made if one["ResourceType"] == "AWS::Lambda::Version"]
        arns = [one["PhysicalResourceId"].split(":") for one in versions]
        return {arn[-2]: arn[-1] for arn in arns}

    def _aliases(self, function: str) -> Versions:
        pages = self.functions.get_paginator("list_aliases").paginate(FunctionName=function)
        return {one["Name"]: one["FunctionVersion"] for page in pages for one in page["Aliases"]}

    def _versions(self, function: str) -> list[str]:
        pages = self.functions.get_paginator("list_versions_by_function").paginate(FunctionName=function)
        return [one["Version"] for page in pages for one in page["Versions"]]
