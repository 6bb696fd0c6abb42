"""What follows an answer: in one transaction the question is settled, and after a yes there is a code."""

from typing import NamedTuple

from forge.auth.keys import hash_of
from forge.context import Caller
from forge.errors import Conflict, PreconditionFailed
from forge.store.followers import follow
from forge.store.transactions import Transaction, decided_again
from forge.work.record.log import events
from forge.work.workspace.people import agents, keyrings, runtimes
from forge.work.workspace.people.agents import MAX_AGENTS, AgentItem
from forge.work.workspace.people.announcements import AGENT_CREATED, AgentCreated
from forge.work.workspace.people.api_keys import ApiKeyItem, ClientOfKey
from functions.oauth import choices
from functions.oauth.choices import Terms
from functions.oauth.clients import Client
from functions.oauth.persons import Person
from functions.oauth.stored import codes
from functions.oauth.stored.clients import USED_FOR
from functions.oauth.stored.codes import CodeItem
from functions.oauth.stored.consents import ConsentItem
from functions.oauth.visits import OVERTAKEN, TRIES, Visit

_TOOL = "oauth.consent"


def settle(visit: Visit, caller: Caller, consent: ConsentItem) -> None:
    """Somebody said no: the question is not asked again."""
    tx = visit.begin(caller, _TOOL)
    _settle(visit, tx, consent)
    visit.services.store.commit(tx)


class Yes(NamedTuple):
    """What the library is given as its user: whoever said yes, and what to."""

    visit: Visit
    person: Person
    client: Client
    consent: ConsentItem
    choice: Terms

    def save(self, code: str) -> None:
        decided_again(lambda: self._save(code), tries=TRIES, spent=OVERTAKEN)

    def _save(self, code: str) -> None:
        visit, person, choice, known = self.visit, self.person, self.choice, self.client.known
        now, workspace_id = visit.services.now(), person.workspace.id
        if keyrings.is_full(person.member.live_keys, now):
            raise PreconditionFailed(
                "You have as many live keys here as one may have.",
                hint="End something under /oauth/grants, then answer again.",
            )
        tx = visit.begin(person.caller, _TOOL)
        _settle(visit, tx, self.consent)
        agent_id = self._made(tx) if choice.new_agent else choice.agent_id
        own = visit.table.find(ApiKeyItem, ApiKeyItem.at(workspace_id, person.sign_in.key_id))
        key_id = visit.services.new_id("key")
        narrowing = {name: {*ids} for name, ids in choice.narrowing._asdict().items()}
        item = CodeItem(
            token_hash=hash_of(code),
            workspace_id=workspace_id,
            user_id=person.member.user_id,
            agent_id=agent_id,
            key_id=key_id,
            client=ClientOfKey(
                id=known.id, name=known.name, host=known.host, resource=self.consent.asked["resource"]
            ),
            redirect_uri=self.consent.asked["redirect_uri"],
            challenge=self.consent.asked["code_challenge"],
            scopes={*choice.scopes},
            rate_per_minute=own.rate_per_minute if own else None,
            made_by_key_id=person.sign_in.made_by_key_id,
            grant_ends_at=choice.ends_at,
            expires_at=now + codes.LIFETIME,
            **narrowing,
        )
        tx.create(item)
        events.record_change(tx, "key", key_id, action="consent", after=item)
        self._keep_client(tx)
        visit.services.store.commit(tx)

    def _made(self, tx: Transaction) -> str:
        """An agent on the spot, as `agents.create` makes one."""
        visit, name = self.visit, str(self.choice.new_agent)
        known = [agent for agent, _ in agents.list_all(visit.table, self.person.workspace.id)]
        if len(known) >= MAX_AGENTS:
            raise PreconditionFailed(f"A workspace has at most {MAX_AGENTS} agents, archived ones included.")
        made = AgentItem(
            workspace_id=self.person.workspace.id,
            id=visit.services.new_id("agt"),
            profile_key=choices.profile_key(name, {one.profile_key for one in known}),
            name=name,
            provider=choices.provider_of(self.client.known.name),
            created_at=tx.origin.now,
        )
        agents.add(tx, made)
        follow(tx, (), runtimes.follows(made))
        told = AgentCreated(profile_key=made.profile_key, name=made.name)
        events.record(tx, AGENT_CREATED, told, subject_id=made.id, action="create", after=made)
        return made.id

    def _keep_client(self, tx: Transaction) -> None:
        """One that somebody said yes to is known for longer than a day."""
        item = self.client.known.item
        found = self.visit.table.find(type(item), item.key) if item else None
        if found is not None:
            tx.replace(found.changed(is_used=True, ends_at=tx.origin.now + USED_FOR))


def _settle(visit: Visit, tx: Transaction, consent: ConsentItem) -> None:
    """Read anew: whoever answers at the same moment is second, and hears that."""
    found = visit.table.find(ConsentItem, consent.key)
    if found is None or found.settled_at is not None:
        raise Conflict("This question was answered before.", hint="Begin again in your program.")
    tx.replace(found.changed(settled_at=tx.origin.now))
