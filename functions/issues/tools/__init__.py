"""The issues' tools, by what they do to an issue. Each module registers its own in this one namespace."""

from forge.contract.tools import Namespace

namespace = Namespace("issues", "Track units of work: who has them, and how they stand.")
