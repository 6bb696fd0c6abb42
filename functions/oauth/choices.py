"""What a person may say yes to, and what they have chosen: pure rules, without a table or a form's markup.

What comes back is held to what was offered, whatever the page showed: it is a browser that sends it.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from forge.auth import bounds
from forge.auth.bounds import Grant
from forge.context import UNRESTRICTED, Narrowing
from forge.contract.terms import Scope
from forge.errors import Forbidden, InvalidInput
from forge.work.workspace.people.agents import AgentItem, AgentProvider
from forge.work.workspace.people.members import ADMIN_ROLES
from forge.work.workspace.projects.projects import ProjectItem
from functions.oauth.forms import Form, printable
from functions.oauth.persons import Person
from functions.oauth.scopes import DEFAULT, NOT_FOR_AGENTS

ME, NEW = "me", "new"
DAYS = (1, 7, 30, 90)
USUAL_DAYS = 30
_MOST_NAME = 60


class Offer(NamedTuple):
    """What is on the page."""

    scopes: Sequence[str]
    agents: Sequence[AgentItem]
    """Empty for whoever may not make keys for them."""
    may_make_agents: bool
    projects: Sequence[ProjectItem]

    @property
    def chosen(self) -> frozenset[str]:
        """Reading and work; whatever reaches further is the person's to tick."""
        return DEFAULT & frozenset(self.scopes)


class Terms(NamedTuple):
    scopes: frozenset[str]
    agent_id: str | None
    new_agent: str | None
    """What an agent is called that is made on the spot."""
    narrowing: Narrowing
    ends_at: datetime


def offer(
    person: Person, asked: Collection[str], agents: Sequence[AgentItem], projects: Sequence[ProjectItem]
) -> Offer:
    """No more than was asked for, and than the person has."""
    scopes = [one.value for one in Scope if one.value in asked and one.value in person.caller.scopes]
    minds_agents = may_mind_agents(person)
    own = person.caller.narrowing
    # Who is confined by labels or issues sees no project by itself, and can give none away.
    sees_all = not (own.project_ids or own.label_ids or own.issue_ids)
    return Offer(
        scopes,
        [one for one in agents if one.archived_at is None] if minds_agents else [],
        minds_agents and person.sign_in.grants_end_at is None,
        [one for one in projects if not one.archived and (sees_all or one.id in own.project_ids)],
    )


def may_mind_agents(person: Person) -> bool:
    """Who makes keys for agents elsewhere does it here, and nobody else."""
    caller = person.caller
    is_admin = caller.role in ADMIN_ROLES and Scope.ADMIN in caller.scopes
    return is_admin and caller.narrowing == UNRESTRICTED


def choose(person: Person, offered: Offer, form: Form, now: datetime) -> Terms:
    """What was chosen, if it was on offer; else why it is refused."""
    scopes = frozenset(form.get("scope", ()))
    if not scopes:
        raise InvalidInput("Nothing was ticked: tick what it may do, or say no.")
    if more := scopes - frozenset(offered.scopes):
        raise Forbidden(f"This was not on offer: {', '.join(sorted(more))[:200]}.")
    agent_id, new_agent = _agent(offered, form)
    if (agent_id or new_agent) and scopes & NOT_FOR_AGENTS:
        raise Forbidden("An agent administers nothing: leave ADMIN out, or let it act as you.")
    narrowing = _narrowing(person, offered, frozenset(form.get("project", ())))
    ends_at = _end(person, form, now)
    maker = Grant(
        person.caller.scopes, person.caller.narrowing, person.caller.role, person.sign_in.grants_end_at
    )
    if bounds.excess(Grant(scopes, narrowing, None, ends_at), maker):
        raise Forbidden("That would be more than you may do yourself.")
    return Terms(scopes, agent_id, new_agent, narrowing, ends_at)


def provider_of(client_name: str) -> AgentProvider:
    words = client_name.lower()
    by_name = {"claude": AgentProvider.CLAUDE, "codex": AgentProvider.CODEX, "chatgpt": AgentProvider.CODEX}
    return next((one for word, one in by_name.items() if word in words), AgentProvider.CUSTOM)


def profile_key(name: str, taken: Collection[str]) -> str:
    """A short name that nobody has, made of what it is called."""
    words = "".join(one if one.isascii() and one.isalnum() else "-" for one in name.lower())
    plain = "-".join(part for part in words.split("-") if part)[:50] or "agent"
    numbered = (f"{plain}-{number}" for number in range(2, len(taken) + 3))
    return next(one for one in (plain, *numbered) if one not in taken)


def _agent(offered: Offer, form: Form) -> tuple[str | None, str | None]:
    whom = form.one("as")
    if whom == ME:
        return None, None
    if whom == NEW:
        name = printable(form.one("agent_name"))
        if not offered.may_make_agents:
            raise Forbidden("You can't make agents with what you signed in with.")
        if not 0 < len(name) <= _MOST_NAME:
            raise InvalidInput(f"Give the agent a name of at most {_MOST_NAME} characters.")
        return None, name
    if whom not in {one.id for one in offered.agents}:
        raise Forbidden("This agent is none that you can choose here.")
    return whom, None


def _narrowing(person: Person, offered: Offer, chosen: frozenset[str]) -> Narrowing:
    own = person.caller.narrowing
    if chosen - {one.id for one in offered.projects}:
        raise Forbidden("This project is none that you can choose here.")
    return own._replace(project_ids=chosen) if chosen else own


def _end(person: Person, form: Form, now: datetime) -> datetime:
    days = form.one("days")
    if days not in {str(one) for one in DAYS}:
        raise InvalidInput("Choose for how long.")
    wanted = now + timedelta(days=int(days))
    latest = person.sign_in.grants_end_at
    return min(wanted, latest) if latest else wanted
