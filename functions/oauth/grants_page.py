"""`/oauth/grants`: what a person has let in, each with a button that ends it."""

from collections.abc import Sequence

from forge.errors import NotFound
from forge.wire.http import Response
from forge.work.workspace.people import agents as all_agents
from forge.work.workspace.people.api_keys import API_KEYS, ApiKeyItem
from functions.oauth import choices, families, workers_page
from functions.oauth.onward import GRANTS_PATH
from functions.oauth.pages import Markup, html, joined, page, sent_on
from functions.oauth.persons import SIGN_OUT_PATH, Person, ask_to_sign_in, person_of, require_own_page
from functions.oauth.scopes import written
from functions.oauth.visits import Visit

END_PATH = f"{GRANTS_PATH}/end"
_MOST = 1_000


def show(visit: Visit) -> Response:
    person = person_of(visit)
    if person is None:
        return ask_to_sign_in(GRANTS_PATH)
    visit.who = person.caller
    keys = _own(visit, person)
    known = all_agents.list_all(visit.table, person.workspace.id)
    names = {agent.id: agent.name for agent, _ in known}
    there = [agent for agent, _ in known if agent.archived_at is None]
    parts = [
        html(
            "<p>Signed in to <strong>{workspace}</strong> as <strong>{name}</strong>.</p>",
            workspace=person.workspace.name,
            name=person.name,
        ),
        _listed(keys, names),
        *([workers_page.form(there)] if choices.may_mind_agents(person) and there else []),
        html('<form method="post" action="{path}"><button>Sign out</button></form>', path=SIGN_OUT_PATH),
    ]
    return page("What you let in", joined(parts))


def end(visit: Visit) -> Response:
    """One click: the key, and with it every token."""
    require_own_page(visit)
    person = person_of(visit)
    if person is None:
        return ask_to_sign_in(GRANTS_PATH)
    visit.who = person.caller
    wanted = visit.form().one("key")
    if wanted not in {one.id for one in _own(visit, person)}:
        raise NotFound("You have let in nothing of this kind.", hint="Open the list again.")
    families.end(visit, person.workspace.id, wanted, tool="oauth.grants")
    return sent_on(GRANTS_PATH)


def _own(visit: Visit, person: Person) -> list[ApiKeyItem]:
    """What this person let in, and for who minds the keys of agents, what workers have."""
    keys = API_KEYS(person.workspace.id)
    rows = visit.table.query_all(keys, most=_MOST, is_descending=True, because="those that live are few")
    now, minds = visit.services.now(), choices.may_mind_agents(person)
    return [
        one
        for one in rows.first_ones().of(ApiKeyItem)
        if one.client is not None and one.is_live(now)
        if one.user_id == person.member.user_id or (minds and one.user_id is None)
    ]


def _listed(keys: Sequence[ApiKeyItem], agents: dict[str, str]) -> Markup:
    if not keys:
        return html('<section><p class="faint">Nothing at present.</p></section>')
    return html("<section><table>{rows}</table></section>", rows=joined(_row(one, agents) for one in keys))


def _row(key: ApiKeyItem, agents: dict[str, str]) -> Markup:
    whom = agents.get(key.linked_agent_id, "an agent") if key.linked_agent_id else "you"
    return html(
        """<tr><td><strong>{name}</strong>{host}<br><small class="faint">as {whom}, {since} to {until}<br>
{scopes}</small></td><td><form method="post" action="{path}"><input type="hidden" name="key" value="{id}">
<button>End it</button></form></td></tr>""",
        name=key.name,
        host=f" · {key.client.host}" if key.client and key.client.host else "",
        whom=whom,
        since=key.created_at.date().isoformat(),
        until=key.expires_at.date().isoformat() if key.expires_at else "it is ended",
        scopes=written(key.scopes),
        path=END_PATH,
        id=key.id,
    )
