"""What is asked back before a goal is given up."""

from forge.work.plans.goals.goals import GoalItem


def question(goal: GoalItem, going: int) -> str:
    """Empty where nothing ends with it but the goal."""
    if not going:
        return ""
    plans = "1 plan" if going == 1 else f"{going} plans"
    return f"Give up the goal {goal.title!r} for good? {plans} of it, with steps and runs, end now."
