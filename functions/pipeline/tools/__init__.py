"""The pipeline's tools, by what they are for. Each module registers its own in this one namespace."""

from forge.contract.tools import Namespace

namespace = Namespace(
    "pipeline", "Take a request through its phases, from analysis to pull request.", bare_names=True
)
