"""The cycles' tools, by what they do. Each module registers its own in this one namespace."""

from forge.contract.tools import Namespace

namespace = Namespace("cycles", "Plan what is done when: cycles, also known as sprints, and their issues.")
