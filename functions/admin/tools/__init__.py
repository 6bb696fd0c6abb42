"""The operators' tools, by what they are about. Each module registers its own in this one namespace."""

from forge.contract.terms import Actor, Scope, Surface
from forge.contract.tools import Namespace

namespace = Namespace(
    "admin",
    "Set up workspaces, people, agents and keys; for operators, and never on MCP.",
    bare_names=True,
    surface=Surface.ADMIN,
    reads=[Scope.ADMIN],
    writes=[Scope.ADMIN],
    actor=Actor.USER,
)
