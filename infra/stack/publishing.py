"""Published versions, and the alias by which whoever waits for an answer calls a function.

SnapStart starts published versions only, and SAM makes an alias or makes none before it looks at conditions.
So everybody gets one, and the parameter decides what a version starts from.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from infra.stack.parameters import PARAMETERS
from infra.stack.shapes import Resource, ref, sub

ALIAS = "live"
_NOT_IN_A_VERSION = frozenset({"DeploymentPreference", "ReservedConcurrentExecutions"})
"""Properties that belong to the function: where nothing else changed, Lambda refuses another version."""


def alias_of(function: str) -> dict[str, Any]:
    return ref(f"{function}.Alias")


def published(properties: Resource) -> Resource:
    """What makes each change of these properties a new version, which the alias then leads to.

    SAM names a version after the text of the properties, in which a parameter stays the same whatever its
    value. The description holds the values, and a version with another description is another version. Their
    names are left out: Lambda takes 256 characters.
    """
    told = properties | {"SnapStart": {"ApplyOn": ref("SnapStart")}}
    values = sorted(set(_parameters_in({k: v for k, v in told.items() if k not in _NOT_IN_A_VERSION})))
    return told | {
        "AutoPublishAlias": ALIAS,
        "AutoPublishAliasAllProperties": True,
        "VersionDescription": sub(" ".join(f"${{{name}}}" for name in values)),
        # For the way back: `infra.versions` keeps the last one, and removes those before it.
        "VersionDeletionPolicy": "Retain",
    }


def _parameters_in(node: object) -> Iterator[str]:
    if isinstance(node, Mapping):
        if node.get("Ref") in PARAMETERS:
            yield str(node["Ref"])
        for child in node.values():
            yield from _parameters_in(child)
    if isinstance(node, list):
        for child in node:
            yield from _parameters_in(child)
