"""Which mode a run gets, and what an agent may do while it lasts."""

from itertools import combinations

import pytest

from forge.contract.terms import ANY_MODE, EXECUTE_ONLY, EngagementMode, ModePolicy
from forge.errors import ModeForbidden
from forge.testing.builders import a_caller, a_context, a_run, a_workspace, an_agent, an_issue
from forge.work.issues.runs import modes
from forge.work.issues.runs.runs import EngagementSource
from forge.work.workspace.workspaces import MentionPolicy
from tests.workshop.outcomes import at_work, given_to

EXECUTE, RESEARCH, REVIEW, DISCUSS = (
    EngagementMode.EXECUTE,
    EngagementMode.RESEARCH,
    EngagementMode.REVIEW,
    EngagementMode.DISCUSS,
)
WORKER = an_agent()
BY_DEFAULT = EngagementSource.SURFACE_DEFAULT
NO_DISCUSSION: ModePolicy = frozenset({EXECUTE, RESEARCH, REVIEW})

every_mode = pytest.mark.parametrize("mode", EngagementMode)
every_policy = pytest.mark.parametrize(
    "allowed", [ANY_MODE, NO_DISCUSSION, EXECUTE_ONLY, frozenset({REVIEW})]
)


@every_mode
@every_policy
def test_a_live_run_stands_in_the_way_of_what_its_mode_does_not_allow(
    allowed: ModePolicy, mode: EngagementMode
) -> None:
    assert modes.forbidding(allowed, [mode]) == (None if mode in allowed else mode)


@every_policy
def test_nothing_stands_in_the_way_of_who_is_engaged_in_nothing(allowed: ModePolicy) -> None:
    assert modes.forbidding(allowed, []) is None


@pytest.mark.parametrize(("stricter", "laxer"), [*combinations((DISCUSS, REVIEW, RESEARCH, EXECUTE), 2)])
def test_of_several_modes_the_strictest_decides(stricter: EngagementMode, laxer: EngagementMode) -> None:
    for both in ([stricter, laxer], [laxer, stricter]):
        assert modes.forbidding(frozenset({laxer}), both) is stricter
        assert modes.forbidding(frozenset({stricter}), both) is None


def test_what_is_about_no_issue_is_refused_only_where_no_run_allows_it() -> None:
    assert modes.forbidding_anywhere(EXECUTE_ONLY, [DISCUSS, EXECUTE]) is None
    assert modes.forbidding_anywhere(EXECUTE_ONLY, []) is None
    assert modes.forbidding_anywhere(EXECUTE_ONLY, [REVIEW, DISCUSS]) is DISCUSS


@every_mode
def test_an_agent_is_bound_by_its_own_runs_on_the_issue(mode: EngagementMode) -> None:
    ctx = a_context(a_caller(agent_id=WORKER.id))
    ctx.modes = EXECUTE_ONLY
    issue = at_work(an_issue(), a_run(engagement_mode=mode), a_run(agent_id="agt_other"))

    if mode is EXECUTE:
        modes.require_mode(ctx, issue)
        return
    with pytest.raises(ModeForbidden) as refused:
        modes.require_mode(ctx, issue)
    assert (refused.value.details or {})["mode"] == mode


def test_a_run_for_a_step_of_a_plan_binds_an_agent_as_well() -> None:
    ctx = a_context(a_caller(agent_id=WORKER.id))
    ctx.modes = EXECUTE_ONLY
    of_a_step = a_run(id="run_step", execution_step_id="step_1", engagement_mode=DISCUSS)

    with pytest.raises(ModeForbidden):
        modes.require_mode(ctx, at_work(an_issue(), a_run(), of_a_step))


def test_neither_people_nor_others_nor_tools_for_every_mode_are_bound() -> None:
    issue = at_work(an_issue(), a_run(engagement_mode=DISCUSS))
    for caller, allowed in (
        (a_caller(), EXECUTE_ONLY),
        (a_caller(agent_id="agt_other"), EXECUTE_ONLY),
        (a_caller(agent_id=WORKER.id), None),
        (a_caller(agent_id=WORKER.id), ANY_MODE),
    ):
        ctx = a_context(caller)
        ctx.modes = allowed
        modes.require_mode(ctx, issue)


@every_mode
def test_an_assignment_is_in_the_named_mode_else_the_agents_else_the_workspaces(mode: EngagementMode) -> None:
    workspace = a_workspace(assignment_engagement_mode=mode)
    reviewer = an_agent(engagement_mode=REVIEW)

    assert modes.for_assignment(workspace, reviewer, mode) == (mode, EngagementSource.EXPLICIT)
    assert modes.for_assignment(workspace, reviewer, None) == (REVIEW, BY_DEFAULT)
    assert modes.for_assignment(workspace, WORKER, None) == (mode, BY_DEFAULT)


@every_mode
def test_who_has_the_issue_keeps_doing_what_it_was_given_it_for(mode: EngagementMode) -> None:
    workspace, issue = a_workspace(), given_to(an_issue(), WORKER, mode)

    assert modes.for_assignee(workspace, WORKER, issue) == (mode, BY_DEFAULT)
    assert modes.for_own_work(workspace, WORKER, issue) == (mode, EngagementSource.AGENT_REQUEST)


def test_who_has_it_for_nothing_in_particular_or_not_at_all_works_as_usual() -> None:
    workspace = a_workspace(assignment_engagement_mode=RESEARCH)
    issues = (an_issue(), given_to(an_issue(), WORKER), given_to(an_issue(), an_agent("other"), REVIEW))

    for issue in issues:
        assert modes.for_assignee(workspace, WORKER, issue) == (RESEARCH, BY_DEFAULT)
        assert modes.for_own_work(workspace, WORKER, issue) == (RESEARCH, EngagementSource.AGENT_REQUEST)


def test_who_only_watches_discusses() -> None:
    assert modes.for_watcher() == (DISCUSS, BY_DEFAULT)


@pytest.mark.parametrize(
    ("policy", "engagement"),
    [
        (MentionPolicy.FIXED, (REVIEW, EngagementSource.POLICY_FIXED)),
        (MentionPolicy.INFER, (REVIEW, EngagementSource.POLICY_INFER)),
        (MentionPolicy.REQUIRE_MARKER, (DISCUSS, EngagementSource.POLICY_REQUIRE_MARKER)),
    ],
)
def test_a_mention_is_in_the_marked_mode_else_as_assigned_else_by_policy(
    policy: MentionPolicy, engagement: modes.Engagement
) -> None:
    workspace = a_workspace(mention_engagement_policy=policy, mention_default_mode=REVIEW)
    own, others = given_to(an_issue(), WORKER, EXECUTE), given_to(an_issue(), an_agent("other"), EXECUTE)
    marked = (RESEARCH, EngagementSource.EXPLICIT)

    for issue in (an_issue(), own, others):
        assert modes.for_mention(workspace, WORKER, issue, "@worker research: why?") == marked
    assert modes.for_mention(workspace, WORKER, own, "@worker, please.") == (EXECUTE, BY_DEFAULT)
    for issue in (an_issue(), others):
        assert modes.for_mention(workspace, WORKER, issue, "@worker, please.") == engagement


@every_mode
def test_a_marker_is_the_mode_and_a_colon_after_the_name(mode: EngagementMode) -> None:
    for text in (f"@worker {mode}: go", f"Hello @Worker  {mode.lower()} : go", f"@worker\n{mode}:go"):
        assert modes.marker_of(text, "worker") is mode


@pytest.mark.parametrize(
    "text",
    [
        "@worker, review this",
        "@worker review this: now",
        "@workerreview: now",
        "@worker-2 review: now",
        "worker review: now",
        "review: @worker",
        "@worker reviewer: now",
        "",
    ],
)
def test_nothing_else_is_a_marker(text: str) -> None:
    assert modes.marker_of(text, "worker") is None


def test_a_marker_is_for_the_agent_that_it_follows() -> None:
    text = "@one research: why? @two execute: fix it. @a.b review: it"

    assert modes.marker_of(text, "one") is RESEARCH
    assert modes.marker_of(text, "two") is EXECUTE
    assert modes.marker_of(text, "a_b") is None


def test_a_run_gets_another_mode_and_the_others_keep_theirs() -> None:
    own, others = a_run(engagement_mode=DISCUSS).as_live, a_run(agent_id="agt_other").as_live

    stamped = modes.restamped([others, own], own.run_id, RESEARCH)

    assert stamped == [others, own.model_copy(update={"mode": RESEARCH})]
    assert own.mode is DISCUSS
