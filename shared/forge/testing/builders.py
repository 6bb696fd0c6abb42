"""Builders: what the domain is decided on, as values. Whatever a test does not name is as usual."""

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeVar

from forge.auth.tokens import SigningSecrets, Tokens
from forge.context import Call, Caller, Context, Door, KeyKind, Role, Services, Toolbox
from forge.contract.catalog import Catalog
from forge.contract.terms import Scope
from forge.store.items import Item
from forge.store.keys import Key
from forge.store.readings import Readings
from forge.testing.clock import NOON, FakeClock, FakeIds
from forge.testing.memory import MemoryWorkspaces, no_store
from forge.testing.web import Web
from forge.work.content.artifacts.artifacts import ArtifactItem
from forge.work.content.comments.comments import CommentItem
from forge.work.issues.changes import IssueChange
from forge.work.issues.desks import Desk
from forge.work.issues.issues import BodyItem, IssueItem
from forge.work.issues.runs.runs import RunItem
from forge.work.record.texts import KeptText
from forge.work.workspace.labels import LabelItem
from forge.work.workspace.people.agents import AgentItem
from forge.work.workspace.projects.projects import ProjectItem
from forge.work.workspace.statuses import SEED, StatusCategory, StatusCopy
from forge.work.workspace.workspaces import WorkspaceItem

ItemT = TypeVar("ItemT", bound=Item)

WORKSPACE_ID, ISSUE_ID, USER_ID = "ws_1", "iss_1", "usr_1"


def a_status(category: StatusCategory, **fields: Any) -> StatusCopy:
    """The one of its category that every workspace begins with: `sta_todo`, called Todo."""
    position, (name, _, color) = next((place, one) for place, one in enumerate(SEED) if one[1] is category)
    usual = {"id": f"sta_{category.lower()}", "name": name, "color": color, "position": position}
    return StatusCopy.model_validate(usual | {"category": category, "is_default": position == 0} | fields)


def a_workspace(**fields: Any) -> WorkspaceItem:
    statuses = [a_status(category) for category in StatusCategory]
    usual = {"id": WORKSPACE_ID, "slug": "demo", "key_prefix": "DEMO", "name": "Demo", "created_at": NOON}
    return _built(WorkspaceItem, usual | {"statuses": statuses}, fields)


def an_issue(**fields: Any) -> IssueItem:
    """In the backlog, or in the usual status of its category."""
    category = StatusCategory(fields.get("category", StatusCategory.BACKLOG))
    usual = {
        "workspace_id": WORKSPACE_ID,
        "id": ISSUE_ID,
        "number": 1,
        "title": "Fix the login",
        "status_id": a_status(category).id,
        "category": category,
        "created_at": NOON,
        "updated_at": NOON,
    }
    return _built(IssueItem, usual, fields)


def a_body(**fields: Any) -> BodyItem:
    return _built(BodyItem, {"workspace_id": WORKSPACE_ID, "issue_id": ISSUE_ID}, fields)


def an_agent(profile_key: str = "worker", **fields: Any) -> AgentItem:
    """`agt_worker`, unless it is another."""
    usual = {
        "workspace_id": WORKSPACE_ID,
        "id": f"agt_{profile_key}",
        "profile_key": profile_key,
        "name": profile_key.title(),
        "created_at": NOON,
    }
    return _built(AgentItem, usual, fields)


def a_run(**fields: Any) -> RunItem:
    """A live one of `agt_worker`, which has given no sign of work yet."""
    agent_id = fields.get("agent_id", an_agent().id)
    usual = {
        "workspace_id": WORKSPACE_ID,
        "id": f"run_of_{agent_id}",
        "issue_id": ISSUE_ID,
        "agent_id": agent_id,
        "started_at": NOON,
        "last_event_at": NOON,
    }
    return _built(RunItem, usual, fields)


def a_label(name: str = "bug", **fields: Any) -> LabelItem:
    usual = {"workspace_id": WORKSPACE_ID, "id": f"lbl_{name}", "name": name, "color": "#dc2626"}
    return _built(LabelItem, usual, fields)


def a_project(**fields: Any) -> ProjectItem:
    usual = {
        "workspace_id": WORKSPACE_ID,
        "id": "prj_1",
        "project_key": "SITE",
        "name": "Website",
        "created_at": NOON,
        "updated_at": NOON,
    }
    return _built(ProjectItem, usual, fields)


def a_comment(text: str = "Hello", **fields: Any) -> CommentItem:
    usual = {
        "workspace_id": WORKSPACE_ID,
        "issue_id": ISSUE_ID,
        "id": "cmt_1",
        "body": KeptText(text=text),
        "created_at": NOON,
        "updated_at": NOON,
    }
    return _built(CommentItem, usual, fields)


def an_artifact(**fields: Any) -> ArtifactItem:
    usual = {
        "workspace_id": WORKSPACE_ID,
        "id": "art_1",
        "slug": "a-report",
        "title": "A report",
        "created_at": NOON,
        "updated_at": NOON,
    }
    return _built(ArtifactItem, usual, fields)


def a_caller(**fields: Any) -> Caller:
    """A member with no scope but those that are named; an agent, if one is named."""
    usual = Caller(
        key_id="key_1",
        workspace_id=WORKSPACE_ID,
        kind=KeyKind.AGENT if fields.get("agent_id") else KeyKind.PERSONAL,
        scopes=frozenset[Scope](),
        session_id="ses_1",
        user_id=None if fields.get("agent_id") else USER_ID,
        role=None if fields.get("agent_id") else Role.MEMBER,
    )
    return usual.replaced(**fields)


def a_context(caller: Caller | None = None, *, tool: str = "issues.update") -> Context:
    """At noon, with ids that count up, and without a table: whoever asks for one fails with the reason."""
    services = Services(
        FakeClock(), FakeIds(), MemoryWorkspaces(), no_store(), Tokens(_no_secret), Web().outbound
    )
    call = Call("req_1", Door.REST)
    toolbox = Toolbox(_no_other_tool, _no_other_tool, lambda name: False, lambda *call: {})
    return Context(caller or a_caller(), call, tool, services, Catalog(()), toolbox)


def a_desk(
    issue: IssueItem,
    *,
    caller: Caller | None = None,
    workspace: WorkspaceItem | None = None,
    holding: Iterable[Item] = (),
    knowing_absent: Iterable[Key] = (),
) -> Desk:
    """The issue and the settings, whatever else it holds, and what is known not to be there."""
    readings = Readings()
    readings.hold_items([issue, workspace or a_workspace(), *holding])
    readings.hold_absent(knowing_absent)
    return Desk(a_context(caller), issue.id, readings)


def a_change(
    issue: IssueItem,
    *,
    caller: Caller | None = None,
    workspace: WorkspaceItem | None = None,
    holding: Iterable[Item] = (),
    knowing_absent: Iterable[Key] = (),
) -> IssueChange:
    """One that nothing was put into yet, on such a desk."""
    desk = a_desk(issue, caller=caller, workspace=workspace, holding=holding, knowing_absent=knowing_absent)
    return IssueChange(desk)


def _built(kind: type[ItemT], usual: Mapping[str, Any], fields: Mapping[str, Any]) -> ItemT:
    if unknown := fields.keys() - kind.model_fields.keys():
        raise TypeError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    return kind.model_validate({**usual, **fields})


def _no_secret() -> SigningSecrets:
    raise LookupError("no rule signs a token")


def _no_other_tool(ctx: Context, name: str, arguments: Mapping[str, object]) -> NoReturn:
    raise LookupError(f"no rule calls {name}")
