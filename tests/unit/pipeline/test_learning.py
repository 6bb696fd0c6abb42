"""What one pipeline leaves, the next one is told."""

from tests.unit.pipeline.starts import ask, begun, done, up_to
from tests.workshop.office import Body, Office

FINDING = "Sessions never expire when the clock moves back"
SUMMARY = (
    "All of it.\n\n## Improvement Report\n\n### Documentation\n\n- The readme does not name the fixture.\n"
)


def completed(office: Office, text: str, *, review: str = "## Verdict: APPROVE\n", **more: str) -> str:
    workspace = begun(office, workspace=".specs/20260401-first", task_text=text, **more)
    action = up_to(office, workspace, "phase-3b")
    file = {"name": "review-design.md", "content": review}
    action = ask(office, workspace, previous_action_complete=True, artifacts=[file])
    while action["type"] != "done":
        if "options" in action:
            action = ask(office, workspace, user_response="proceed")
        elif action["phase"] == "final-summary":
            told = {"name": "summary.md", "content": SUMMARY}
            action = ask(office, workspace, previous_action_complete=True, artifacts=[told])
        else:
            action = done(office, workspace, action)
    return workspace


def begin_another(office: Office) -> str:
    return begun(office, workspace=".specs/20260402-session-timeout-login")


def test_a_completed_pipeline_and_its_findings_are_in_the_next_architects_prompt(office: Office) -> None:
    """Defect 14."""
    before = up_to(office, begin_another(office), "phase-3")["prompt"]
    review = f"## Verdict: APPROVE_WITH_NOTES\n\n**1. [CRITICAL] {FINDING}**\n\n**2. [MINOR] Typo**\n"
    completed(office, "Let a login session end after a timeout", review=review)

    architect = up_to(office, begin_another(office), "phase-3")["prompt"]

    assert "## Similar Past Pipelines" not in before
    past = architect[architect.index("## Similar Past Pipelines") :]
    assert "Let a login session end after a timeout" in past
    assert FINDING in past[past.index("## Past Review Patterns") :]
    assert "Typo" not in past


def test_what_rubbed_is_told_to_whoever_implements_next(office: Office) -> None:
    completed(office, "Let a login session end after a timeout")

    implementer = up_to(office, begin_another(office), "phase-5")["prompt"]

    assert "The readme does not name the fixture." in implementer[implementer.index("## AI Friction") :]


def test_a_pipeline_that_was_given_up_is_learned_from_too(office: Office) -> None:
    workspace = begun(office, workspace=".specs/20260401-first", task_text="Let a login session end")
    ask(office, workspace)
    office.call("pipeline_abandon", {"workspace": workspace})

    architect = up_to(office, begin_another(office), "phase-3")["prompt"]

    assert "Let a login session end" in architect


def test_what_it_will_take_is_estimated_from_those_that_came_to_their_end(office: Office) -> None:
    def asked(effort: str) -> Body:
        given = {
            "workspace": ".specs/20260402-next",
            "task_text": "Next",
            "flags": {"effort_override": effort},
        }
        needed: Body = office.call("pipeline_init_with_context", given)["needs_user_confirmation"]
        return needed

    unknown = asked("M")
    workspace = completed(office, "Let a login session end after a timeout")

    took = office.call("state_resume_info", {"workspace": workspace})["totalTokens"]
    assert not {"estimate", "estimate_display"} & unknown.keys()
    assert asked("M")["estimate"]["tokens"] == {"p50": took, "p90": took}
    assert asked("M")["estimate"]["sample_size"] == 1
    assert asked("M")["estimate_display"].startswith("From 1 of this effort")
    assert "estimate" not in asked("S")


def test_a_pipeline_may_learn_from_its_own_repository_alone(office: Office) -> None:
    review = f"## Verdict: APPROVE_WITH_NOTES\n\n**1. [CRITICAL] {FINDING}**\n"
    completed(office, "Let a login session end after a timeout", review=review, repository="demo/other")

    def told(**asked: str) -> str:
        name = ".specs/20260402-session-timeout-login"
        return str(up_to(office, begun(office, workspace=name, **asked), "phase-3")["prompt"])

    assert FINDING in told()
    assert FINDING in told(repository="demo/other", learn_from="repository")
    of_another = told(repository="demo/app", learn_from="repository")
    assert FINDING not in of_another
    assert "## Similar Past Pipelines" not in of_another
