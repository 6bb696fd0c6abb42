"""The minute tick of the sweep. Its name comes from the stack id, so that two teams never share one."""

from infra.stack.functions import SWEEP, function_id
from infra.stack.roles import policy, role
from infra.stack.shapes import Resources, attribute, stack_suffix

_SCHEDULE, _ROLE = "SweepSchedule", "SweepScheduleRole"


def schedule_resources() -> Resources:
    sweep = attribute(function_id(SWEEP), "Arn")
    invoke = {"Effect": "Allow", "Action": ["lambda:InvokeFunction"], "Resource": [sweep]}
    return {
        _SCHEDULE: {
            "Type": "AWS::Scheduler::Schedule",
            "Properties": {
                "Name": {"Fn::Join": ["-", ["sweep", stack_suffix()]]},
                "ScheduleExpression": "rate(1 minute)",
                "FlexibleTimeWindow": {"Mode": "OFF"},
                "Target": {
                    "Arn": sweep,
                    "RoleArn": attribute(_ROLE, "Arn"),
                    # The next tick comes in a minute anyway.
                    "RetryPolicy": {"MaximumRetryAttempts": 0},
                },
            },
        },
        _ROLE: role("scheduler.amazonaws.com", [policy("Tick", [invoke])]),
    }
