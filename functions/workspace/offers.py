"""What a workspace offers besides its tool: its rules as a page."""

from forge.context import Context
from forge.contract.contents import Contents, facts, section
from forge.contract.effects import Cost
from forge.contract.models import NoArguments
from forge.contract.offering import Offering
from forge.contract.terms import Scope
from forge.work.workspace import labels, statuses
from functions.workspace import tools

offers = Offering(tools.namespace)


@offers.resource("forge://workspace", title="Workspace", scopes=[Scope.READ_ISSUES], costs=Cost(reads=4))
def workspace_page(request: NoArguments, ctx: Context) -> Contents:
    """The rules of the workspace: statuses, labels, and what needs a person."""
    found, workspace_id = tools.get(request, ctx), ctx.caller.workspace_id
    states = "\n".join(f"- {one.name} ({one.category})" for one in statuses.list_all(ctx.table, workspace_id))
    known = "\n".join(f"- {one.name}" for one, _ in labels.list_all(ctx.table, workspace_id))
    rules = facts(
        identifiers=f"{found.key}-1, {found.key}-2, …; they do wherever an issue's id is asked for",
        plans_need_a_person=found.plans_need_a_person,
        checkpoints_need_a_person=found.checkpoints_need_a_person,
        work_moves_its_issue=f"at its start {found.move_on_start}, when complete {found.move_on_complete}",
        auto_dispatch=found.auto_dispatch_mode if found.auto_dispatch else "off",
        time_tracking=found.time_tracking_enabled,
    )
    text = f"# {found.name}\n\n{rules}{section('Statuses, in their order', states)}{section('Labels', known)}"
    return Contents.markdown(text, read_on="labels.list {} has every label.")
