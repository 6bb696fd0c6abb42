"""What artifacts tell of themselves: one event, whatever was done to them."""

from forge.contract.effects import Emission, Told
from forge.work.record.log.kinds import EventKind


class ArtifactTold(Told):
    """`version` where the text changed."""

    artifact_id: str
    title: str
    action: str
    version: int | None = None


ARTIFACT_WRITTEN = Emission(EventKind.ISSUE_UPDATED, "artifact", ArtifactTold)
