"""What has to be ready before several threads begin."""

import subprocess
import sys

_PROGRAM = """
from forge.work.background.deliveries.consuming import under_way
from forge.work.content.destinations.messages import Posted
from forge.work.workspace.people.announcements import AgentStatusChanged

models = (Posted, AgentStatusChanged)
before = [model.__pydantic_complete__ for model in models]
with under_way(None, []):
    print(before, [model.__pydantic_complete__ for model in models])
"""


def test_models_are_built_before_several_threads_use_them() -> None:
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)

    assert done.stdout == "[False, False] [True, True]\n"
