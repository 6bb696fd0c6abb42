"""The runs' tools, by what they do with a run. Each module registers its own in this one namespace."""

from forge.contract.tools import Namespace

namespace = Namespace("runs", "See what agents are doing for issues, and say how far your own work is.")
