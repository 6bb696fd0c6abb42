"""Parameters, each with a default: a stack deploys without any being given."""

from typing import Any

PARAMETERS: dict[str, dict[str, Any]] = {
    "TeamName": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "[a-zA-Z0-9-]{0,40}",
        "Description": "Shown in tags and metrics, to tell deployments apart; the stack's name unless given.",
    },
    "PublicUrl": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "(https://[^/]+)?",
        "Description": "Where it is reached, if not at the API's own address: https:// and a host, no path.",
    },
    "RouterMode": {
        "Type": "String",
        "Default": "invoke",
        "AllowedValues": ["invoke", "inline"],
        "Description": "Where tools run: each in its function, or faster in the router, with a wider role.",
    },
    "SnapStart": {
        "Type": "String",
        "Default": "None",
        "AllowedValues": ["None", "PublishedVersions"],
        "Description": "PublishedVersions has whatever somebody waits for start from snapshots, at a price.",
    },
    "RouterConcurrency": {
        "Type": "Number",
        "Default": 0,
        "MinValue": 0,
        "Description": "Calls that the router answers at once, reserved for it; 0 leaves it to the account.",
    },
    "Tracing": {
        "Type": "String",
        "Default": "Active",
        "AllowedValues": ["Active", "PassThrough"],
        "Description": "Active sends samples of the calls to X-Ray, at a price.",
    },
    "LogRetentionDays": {
        "Type": "Number",
        "Default": 30,
        "AllowedValues": [1, 3, 7, 14, 30, 60, 90, 180, 365],
        "Description": "How long logs are kept.",
    },
    "ThrottleRate": {
        "Type": "Number",
        "Default": 200,
        "MinValue": 1,
        "Description": "Requests per second that the API admits, over all keys.",
    },
    "ThrottleBurst": {
        "Type": "Number",
        "Default": 400,
        "MinValue": 1,
        "Description": "Requests that the API admits at once.",
    },
    "RetainData": {
        "Type": "String",
        "Default": "true",
        "AllowedValues": ["true", "false"],
        "Description": "Protects the table from deletion, and with it everything the team wrote.",
    },
    "AlarmTopicArn": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "(arn:[a-z-]+:sns:[^:]+:[0-9]+:.+)?",
        "Description": "An SNS topic that alarms are sent to; without one they only show in CloudWatch.",
    },
}

CONDITIONS: dict[str, Any] = {
    "HasAlarmTopic": {"Fn::Not": [{"Fn::Equals": [{"Ref": "AlarmTopicArn"}, ""]}]},
    "HasPublicUrl": {"Fn::Not": [{"Fn::Equals": [{"Ref": "PublicUrl"}, ""]}]},
    "HasTeamName": {"Fn::Not": [{"Fn::Equals": [{"Ref": "TeamName"}, ""]}]},
    "KeepsData": {"Fn::Equals": [{"Ref": "RetainData"}, "true"]},
    "ReservesRouter": {"Fn::Not": [{"Fn::Equals": [{"Ref": "RouterConcurrency"}, 0]}]},
    "RouterInvokes": {"Fn::Equals": [{"Ref": "RouterMode"}, "invoke"]},
}


def team() -> dict[str, Any]:
    """What tells a deployment apart: two stacks that nobody named must not raise each other's alarms."""
    return {"Fn::If": ["HasTeamName", {"Ref": "TeamName"}, {"Ref": "AWS::StackName"}]}
