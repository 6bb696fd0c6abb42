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
        "MaxLength": 80,
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
    "OAuth": {
        "Type": "String",
        "Default": "on",
        "AllowedValues": ["on", "off"],
        "Description": "off leaves keys as the only way in: /mcp, /oauth and their documents are not there.",
    },
    "OidcIssuer": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "(https://[^\\s?#@]+)?",
        "MaxLength": 200,
        "Description": "The issuer of the OpenID provider that people sign in with; empty for keys alone.",
    },
    "OidcClientId": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "[^\\s]{0,200}",
        "Description": "What that provider knows this deployment by; its redirect is /oauth/oidc/callback.",
    },
    "OidcSecret": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "([A-Za-z0-9/_+=.@-]{1,200})?",
        "Description": "Name of the secret with the client's secret; it begins with forge/<stack>/oidc/.",
    },
    "OidcName": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "[^\\r\\n]{0,60}",
        "Description": "What people call the provider; it stands on the button.",
    },
    "OidcGroupsClaim": {
        "Type": "String",
        "Default": "groups",
        "AllowedPattern": "[A-Za-z0-9:/._-]{1,100}",
        "Description": "The claim that names a person's groups; cognito:groups with Cognito.",
    },
    "OidcWorkspace": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "[a-z0-9-]{0,40}",
        "Description": "Slug of the workspace that people enter who name none.",
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
    "AlarmEmail": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "([^@\\s]+@[^@\\s]+)?",
        "Description": "An address that alarms are mailed to, once it has confirmed that it wants them.",
    },
    "IndexAlarms": {
        "Type": "String",
        "Default": "false",
        "AllowedValues": ["true", "false"],
        "Description": "true also watches each index of the table for throttling, at a price by the index.",
    },
    "NamespaceMetrics": {
        "Type": "String",
        "Default": "false",
        "AllowedValues": ["true", "false"],
        "Description": "true counts durations by namespace, too, at a price by the namespace.",
    },
    "DomainName": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "([a-z0-9-]+[.])*[a-z0-9-]*",
        "MaxLength": 64,
        "Description": "A name of your own for the API, which CertificateArn is for.",
    },
    "CertificateArn": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "(arn:[a-z-]+:acm:[^:]+:[0-9]+:certificate/.+)?",
        "Description": "The certificate of DomainName, in ACM and in the region of the stack.",
    },
    "HostedZoneId": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "[A-Z0-9]*",
        "Description": "The zone in Route 53 that gets a record for DomainName; empty leaves that to you.",
    },
    "DisableExecuteApiEndpoint": {
        "Type": "String",
        "Default": "false",
        "AllowedValues": ["true", "false"],
        "Description": "true has the API answer only under DomainName or PublicUrl.",
    },
    "PermissionsBoundary": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "(arn:[a-z-]+:iam::([0-9]+|aws):policy/.+)?",
        "Description": "A policy that bounds every role of the stack, where the account demands one.",
    },
    "KmsKeyArn": {
        "Type": "String",
        "Default": "",
        "AllowedPattern": "(arn:[a-z-]+:kms:[^:]+:[0-9]+:key/.+)?",
        "Description": "A key of your own that everything stored is encrypted with; AWS's unless given.",
    },
    "WarmThroughput": {
        "Type": "CommaDelimitedList",
        "Default": "0,0",
        "Description": "Reads and writes per second that table and indexes are ready for, as 24000,8000.",
    },
    "Canary": {
        "Type": "String",
        "Default": "false",
        "AllowedValues": ["true", "false"],
        "Description": "true gives a new version a tenth of MCP calls for ten minutes; alarms take it back.",
    },
}


def _is_given(parameter: str) -> dict[str, Any]:
    return {"Fn::Not": [{"Fn::Equals": [{"Ref": parameter}, ""]}]}


def _is(parameter: str, value: str) -> dict[str, Any]:
    return {"Fn::Equals": [{"Ref": parameter}, value]}


_HAS_DOMAIN = {"Condition": "HasDomain"}

CONDITIONS: dict[str, Any] = {
    "HasAlarmTopic": _is_given("AlarmTopicArn"),
    "HasAlarmEmail": _is_given("AlarmEmail"),
    "HasProvider": _is_given("OidcIssuer"),
    "HasPublicUrl": _is_given("PublicUrl"),
    "HasDomain": _is_given("DomainName"),
    "HasDomainRecord": {"Fn::And": [_HAS_DOMAIN, _is_given("HostedZoneId")]},
    "HasTeamName": _is_given("TeamName"),
    "HasBoundary": _is_given("PermissionsBoundary"),
    "HasKey": _is_given("KmsKeyArn"),
    "IsWarm": {"Fn::Not": [{"Fn::Equals": [{"Fn::Join": [",", {"Ref": "WarmThroughput"}]}, "0,0"]}]},
    "KeepsData": _is("RetainData", "true"),
    "OnlyOwnName": _is("DisableExecuteApiEndpoint", "true"),
    "ReservesRouter": {"Fn::Not": [{"Fn::Equals": [{"Ref": "RouterConcurrency"}, 0]}]},
    "RouterInvokes": _is("RouterMode", "invoke"),
    "WatchesIndexes": _is("IndexAlarms", "true"),
    "HasCanary": _is("Canary", "true"),
}

RULES: dict[str, Any] = {
    "ProviderKnowsUs": {
        "RuleCondition": _is_given("OidcIssuer"),
        "Assertions": [
            {
                "Assert": _is_given("OidcClientId"),
                "AssertDescription": "OidcIssuer needs OidcClientId: what that provider knows this stack by.",
            }
        ],
    },
    "DomainHasCertificate": {
        "RuleCondition": _is_given("DomainName"),
        "Assertions": [
            {
                "Assert": _is_given("CertificateArn"),
                "AssertDescription": "DomainName needs CertificateArn: a certificate of ACM, in this region.",
            }
        ],
    },
    "SomeNameIsLeft": {
        "RuleCondition": _is("DisableExecuteApiEndpoint", "true"),
        "Assertions": [
            {
                "Assert": {"Fn::Or": [_is_given("DomainName"), _is_given("PublicUrl")]},
                "AssertDescription": "Without the API's own address it needs DomainName or PublicUrl.",
            }
        ],
    },
}
"""What CloudFormation refuses before it makes anything."""


def if_given(condition: str, value: Any) -> dict[str, Any]:
    """A property, or an element of a list, that is there only where the condition holds."""
    return {"Fn::If": [condition, value, {"Ref": "AWS::NoValue"}]}


def team() -> dict[str, Any]:
    """What tells a deployment apart: two stacks that nobody named must not raise each other's alarms."""
    return {"Fn::If": ["HasTeamName", {"Ref": "TeamName"}, {"Ref": "AWS::StackName"}]}
