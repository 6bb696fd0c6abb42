"""Two log groups: one for all functions, one for what the API was asked.

Functions share a group, so that one query follows a call from the router into its namespace; the name of a
stream begins with the day and names its function.
"""

from infra.stack.encryption import key_property
from infra.stack.shapes import Resource, Resources, ref, stack_suffix

FUNCTIONS_LOG, API_LOG = "FunctionsLog", "ApiLog"
_VENDED = "/aws/vendedlogs/forge/"


def log_resources() -> Resources:
    # Whatever delivers logs needs a line in the one log policy of the account, which is full after some
    # thirty of them; groups with such a name share a line.
    named = {"LogGroupName": {"Fn::Join": ["", [_VENDED, ref("AWS::StackName"), "/", stack_suffix()]]}}
    return {FUNCTIONS_LOG: _group({}), API_LOG: _group(named)}


def _group(properties: Resource) -> Resource:
    kept = {"RetentionInDays": ref("LogRetentionDays"), **key_property("KmsKeyId")}
    return {"Type": "AWS::Logs::LogGroup", "Properties": {**properties, **kept}}
