"""The agent's tools."""

from forge.context import Context
from forge.contract.effects import Cost
from forge.contract.terms import Effect, Scope
from forge.contract.tools import Namespace
from forge.errors import InvalidInput
from forge.work.bundles.bundles import bundle_of, read_for_bundle
from forge.work.bundles.threads import ThreadBundle, thread_bundle
from forge.work.bundles.views import ContextBundle
from functions.agent.models import BundleContext

namespace = Namespace("agent", "Learn all that you need for your work in one call.")


@namespace.tool(
    scopes=[Scope.READ_ISSUES],
    effect=Effect.READ_ONLY,
    name="context.bundle",
    costs=Cost(reads=3),
    asks=[
        "everything about an issue at once",
        "context to start work",
        "prepare me for the work",
        "what must I know to begin",
        "briefing",
        "all information about an issue",
    ],
)
def context_bundle(request: BundleContext, ctx: Context) -> ContextBundle | ThreadBundle:
    """Return all you need to work on an issue: its texts, newest 50 comments, relations, run and artifacts.

    completionContract is what runs.complete will ask for; runProtocol says what your mode allows and which
    calls to make. What was cut says so.
    Example: {"issueId": "DEMO-1"}
    """
    if (request.issue_id is None) is (request.thread_id is None):
        wrong = "Give issueId or threadId, and only one of them."
        raise InvalidInput("Say what the work is about.", issues={"issueId": wrong, "threadId": wrong})
    if request.thread_id is not None:
        return thread_bundle(ctx, request.thread_id)
    whole = read_for_bundle(ctx, str(request.issue_id), run_id=request.run_id)
    return bundle_of(whole, whole.desk.issue, run_id=request.run_id)
