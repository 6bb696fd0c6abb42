"""One deployment has many workspaces: which of them somebody enters, and as whom."""

import pytest

from forge.testing.openid import OpenIdProvider
from forge.wire.edge import Backend, Edge, Options
from forge.wire.settings import SIGN_IN
from forge.work.workspace.people.members import UserItem
from forge.work.workspace.workspaces import WorkspaceItem
from tests.unit.oauth.people.conftest import settings_of
from tests.unit.oauth.people.team import Team


def another_workspace(team: Team, **settings: object) -> WorkspaceItem:
    world = team.desk.world
    other = world.add_workspace(f"other-{team.desk.workspace.slug}")
    if settings:
        answer = world.admin("workspaces.update", settings, key=world.owner_key(other))
        assert answer.status == 200, answer.body
    return other


def test_the_domain_of_one_workspace_opens_no_other(team: Team) -> None:
    team.rule(signInDomains=[team.domain])
    team.account()
    team.sign_in()
    other = another_workspace(team)
    team.another_browser()

    assert team.sign_in(workspace=other.slug).status == 403

    assert not team.is_signed_in
    rows = team.desk.world.admin("audit.list", {}, key=team.desk.world.owner_key(other))
    assert '"not-invited"' in rows.body
    assert team.audited(outcome="failure") == []


def test_who_is_in_two_workspaces_says_on_the_page_which_they_mean(team: Team) -> None:
    team.invite()
    team.account()
    page = team.browser.open("/oauth/sign-in?next=/console")

    page = team.browser.submit(page, {"workspace": team.desk.workspace.slug})

    assert "workspace" not in page.url
    came_back = team.come_back(page.query)
    assert came_back.url.endswith("/console")
    assert team.me()["slug"] == team.desk.workspace.slug


def test_who_joins_another_workspace_is_the_same_person_there(team: Team) -> None:
    team.invite()
    team.account()
    team.sign_in()
    other = another_workspace(team, signInDomains=[team.domain])
    team.desk.world.clock.advance(hours=1)
    team.another_browser()

    assert team.sign_in(workspace=other.slug).url.endswith("/console")

    member = team.member()
    assert member is not None
    user = team.desk.world.services.store.table.find(UserItem, UserItem.at(member["id"]))
    # By this, an erasure that is under way elsewhere knows that they are somebody's still.
    assert user is not None
    assert user.joined_at == team.desk.world.clock()


def test_who_says_nothing_goes_where_they_were_last_and_else_to_the_usual(
    team: Team, there: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, other = team.desk.world, another_workspace(team, signInDomains=[team.domain])
    settings = settings_of(there) | {"FORGE_OIDC_WORKSPACE": team.desk.workspace.slug}
    options = Options(oauth=SIGN_IN, oidc=settings, write_log=world.log.append)
    edge = Edge(world.edge.catalog, Backend(world.keeper.keys, world.services), options)
    monkeypatch.setattr(world, "edge", edge)
    team.invite()
    team.account()

    team.sign_in(workspace="")
    assert team.me()["slug"] == team.desk.workspace.slug
    team.sign_in(workspace=other.slug)
    team.another_browser()
    team.sign_in(workspace="")

    assert team.me()["slug"] == other.slug
