"""Calls of the catalog's tools."""

from forge.contract.terms import Scope
from tests.contract.stage import sample

SAMPLES = (
    sample(
        "catalog.call",
        lambda stage: {"name": "labels.create", "arguments": {"name": "called"}},
        reached_scopes=frozenset({Scope.ADMIN}),
    ),
    sample("catalog.describe", lambda stage: {"names": ["workspace.get", "labels_list"]}),
    sample("catalog.search", lambda stage: {"query": "who works here"}),
)
