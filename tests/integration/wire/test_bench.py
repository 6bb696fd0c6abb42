"""What `make bench` measures is a call that works: one that was recorded, made again with the real client."""

import sys
from pathlib import Path

from tests.bench import recorder, recordings
from tests.bench.run import deployment
from tests.bench.stub import Stub
from tests.bench.worker import Crew

TOOL = "issues.create"


def test_a_recorded_call_can_be_played_over_and_over(tmp_path: Path) -> None:
    """The contender refuses an answer that is another one, and the stub a request that is another one."""
    file = tmp_path / "recordings.json"
    recordings.save(recorder.record((TOOL,)), file)

    with Stub(str(file)) as stub:
        more = deployment(stub) | {
            recordings.VARIABLE: str(file),
            "FORGE_BACKEND": "tests.bench.replayed:open_backend",
        }
        with Crew(sys.executable, "tests.bench.whole_ours", more) as ours:
            stub.play(TOOL)

            assert ours.cpu_seconds(TOOL, 3) > 0
