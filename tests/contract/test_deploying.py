"""What CloudFormation makes of the template, and what whoever deployed it is told."""

import yaml

from tests.contract.stacks import TEMPLATE, TEXT


def test_cloudformation_can_read_it_without_another_tool() -> None:
    assert not any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(TEXT, yaml.CSafeLoader))
    assert len(TEXT.encode()) < 1_000_000


def test_whoever_copies_an_output_gets_the_address_that_callers_know() -> None:
    outputs = {name: one["Value"] for name, one in TEMPLATE["Outputs"].items()}

    for name in ("McpUrl", "ConsoleUrl", "ClaudeCode", "Codex", "Cursor"):
        _, names = outputs[name]["Fn::Sub"]
        assert names["At"]["Fn::If"] == ["HasPublicUrl", {"Ref": "PublicUrl"}, outputs["Url"]], name


def test_a_tick_of_the_sweep_is_not_tried_again() -> None:
    once = TEMPLATE["Resources"]["SweepFunction"]["Properties"]["EventInvokeConfig"]

    assert once == {"MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60}
