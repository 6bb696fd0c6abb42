"""Calls of the labels' tools."""

from tests.contract.stage import sample

SAMPLES = (
    sample("labels.create", lambda stage: {"name": "Bug", "color": "#DC2626"}),
    sample("labels.delete", lambda stage: {"id": stage.a_label()}),
    sample("labels.list"),
    sample("labels.update", lambda stage: {"id": stage.a_label(), "name": "Defect", "color": "#dc2626"}),
)
