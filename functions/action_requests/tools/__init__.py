"""The action requests' tools: asking, deciding, polls. Each module registers its own in this namespace."""

from forge.contract.tools import Namespace

namespace = Namespace("actionRequests", "Ask a person for a decision, and decide what was asked.")
