"""What clients may ask for, what they are given where they do not say, and how people are told of it."""

from collections.abc import Iterable

from forge.contract.terms import Scope
from forge.wire.sign_in import SCOPES_OF_WORK

DEFAULT = frozenset(SCOPES_OF_WORK)
"""Reading and work: what is chosen before anybody has chosen."""
NOT_FOR_AGENTS = frozenset({Scope.ADMIN.value})

MEANINGS = {
    Scope.READ_ISSUES: "Read issues, runs, goals and plans",
    Scope.WRITE_ISSUES: "Create and change issues, do and report work",
    Scope.READ_PROJECTS: "Read projects, cycles and initiatives",
    Scope.WRITE_PROJECTS: "Create and change projects, cycles and initiatives",
    Scope.READ_COMMENTS: "Read comments, notes and attachments",
    Scope.WRITE_COMMENTS: "Write comments, notes and attachments",
    Scope.READ_USERS: "See who is here: people and agents, with their addresses",
    Scope.READ_ANALYTICS: "Read figures and reports",
    Scope.SUBSCRIBE_EVENTS: "Hear of everything that happens, as it happens",
    Scope.INVOKE_SKILLS: "Run tools for others, also what they start elsewhere",
    Scope.ADMIN: "Administer the workspace: people, keys, settings",
}


def known(asked: str | None) -> frozenset[str]:
    """Of what was asked for, what there is: other servers have scopes that this one does not."""
    return frozenset((asked or "").split()) & frozenset(one.value for one in Scope)


def written(scopes: Iterable[str]) -> str:
    chosen = frozenset(scopes)
    return " ".join(one.value for one in Scope if one.value in chosen)
