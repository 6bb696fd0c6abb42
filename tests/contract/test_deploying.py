"""What CloudFormation makes of the template, and what whoever deployed it is told."""

from typing import Any

import yaml

from tests.contract.stacks import TEMPLATE, TEXT


def test_cloudformation_can_read_it_without_another_tool() -> None:
    assert not any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(TEXT, yaml.CSafeLoader))
    assert len(TEXT.encode()) < 1_000_000


def test_whoever_copies_an_output_gets_the_address_that_callers_know() -> None:
    outputs = {name: one["Value"] for name, one in TEMPLATE["Outputs"].items()}

    for name in ("McpUrl", "ConsoleUrl", "ClaudeCode", "Codex", "Cursor"):
        _, names = outputs[name]["Fn::Sub"]
        own = {"Fn::If": ["HasDomain", {"Fn::Sub": "https://${DomainName}"}, outputs["Url"]["Fn::If"][2]]}
        assert names["At"]["Fn::If"] == ["HasPublicUrl", {"Ref": "PublicUrl"}, own], name


def test_a_name_of_ones_own_is_made_only_where_it_is_given() -> None:
    resources = TEMPLATE["Resources"]

    assert resources["Domain"]["Condition"] == resources["DomainMapping"]["Condition"] == "HasDomain"
    assert resources["DomainRecord"]["Condition"] == "HasDomainRecord"
    assert {"DomainHasCertificate", "ProviderKnowsUs", "SomeNameIsLeft"} == TEMPLATE["Rules"].keys()


_KEYS = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
_QUEUES = ("DispatchQueue", "WaitsQueue", "TasksQueue", "ExportsQueue", "RelayFailures", "DeadLetters")
BEFORE: dict[str, dict[str, Any]] = {
    "Table": {"KeySchema": _KEYS},
    **{name: {} for name in ("Bucket", "TokenSecret", *_QUEUES)},
    **{name: {"FifoQueue": True} for name in ("ErrandsQueue", "FifoDeadLetters")},
    "HttpApi": {"ProtocolType": "HTTP"},
}
"""By the names under which stacks have them: what can't be changed without another one taking their place."""
REPLACING = {
    "AWS::DynamoDB::Table": {"TableName", "KeySchema", "ImportSourceSpecification"},
    "AWS::S3::Bucket": {"BucketName", "BucketNamePrefix", "BucketNamespace", "ObjectLockEnabled"},
    "AWS::SQS::Queue": {"QueueName", "FifoQueue"},
    "AWS::SecretsManager::Secret": {"Name"},
    "AWS::ApiGatewayV2::Api": {"ProtocolType"},
}
"""The properties of which CloudFormation's documentation says so."""
INDEXES = {"board", "updated", "project", "agent", "subject", "due"}


def test_an_update_replaces_nothing_that_holds_data_or_is_known_by_its_address() -> None:
    for name, expected in BEFORE.items():
        resource = TEMPLATE["Resources"][name]
        replacing = REPLACING[resource["Type"]]
        assert {key: one for key, one in resource["Properties"].items() if key in replacing} == expected, name
    # An index can be added; another key under an old name would have to be removed first.
    indexes = TEMPLATE["Resources"]["Table"]["Properties"]["GlobalSecondaryIndexes"]
    keys = {one["IndexName"]: [key["AttributeName"] for key in one["KeySchema"]] for one in indexes}
    for name in INDEXES:
        assert keys[name] == [f"{name}Pk", f"{name}Sk"]


def test_a_tick_of_the_sweep_is_not_tried_again() -> None:
    once = TEMPLATE["Resources"]["SweepFunction"]["Properties"]["EventInvokeConfig"]

    assert once == {"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60}
