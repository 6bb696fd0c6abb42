"""A new version gets some of the calls first, and all of them if no alarm is raised meanwhile.

Only the router's alias moves by steps, since whatever MCP clients call goes through it. CloudFormation waits
for that, and when an alarm has CodeDeploy turn back, the whole update is rolled back with it. A group of
CodeDeploy for each function would be thirty resources more.
"""

from infra.stack.parameters import if_given
from infra.stack.roles import role
from infra.stack.shapes import Resource, Resources, attribute, ref, sub

_ROLE = "CanaryRole"
_SHIFTING = "arn:${AWS::Partition}:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited"
_WATCHED = ("FailedCallsAlarm", "ApiFailuresAlarm")


def canary_resources() -> Resources:
    made = role("codedeploy.amazonaws.com", [])
    made["Properties"]["ManagedPolicyArns"] = [sub(_SHIFTING)]
    return {_ROLE: made | {"Condition": "HasCanary"}}


def preference() -> Resource:
    """As SAM takes it, which makes nothing of CodeDeploy's while the parameter is `false`."""
    return {
        "Enabled": ref("Canary"),
        # Longer than it takes the alarms to notice.
        "Type": "Canary10Percent10Minutes",
        "Alarms": [ref(name) for name in _WATCHED],
        "Role": if_given("HasCanary", attribute(_ROLE, "Arn")),
    }
