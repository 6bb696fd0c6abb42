"""What an operator is shown and woken by: few alarms that say what to do, one dashboard, few metrics."""

import json
import re

from forge.contract.terms import Surface
from forge.wire.measures import COUNTS, DURATION, NAMESPACE, TEAM, TOOLS
from infra.registry import find_namespaces
from infra.stack.parameters import PARAMETERS
from tests.contract.stacks import RESOURCES, of_type

ALARMS = {name: one["Properties"] for name, one in of_type(RESOURCES, "AWS::CloudWatch::Alarm").items()}

KNOWN = {*RESOURCES, *PARAMETERS, "AWS::StackName"}
"""What a part of the template may refer to here."""

MAX_ALARMS = 12
MAX_METRICS = 60
"""Of our own: CloudWatch charges for each by the month."""
OF_WORKERS = 15
"""What relay, sweep, dispatch and the operators' function count."""
OURS = {DURATION, *COUNTS}


def values(node: object) -> list[str]:
    """Every name that a part of the template refers to."""
    if isinstance(node, dict):
        named = [str(node["Ref"])] if "Ref" in node else []
        named += [node["Fn::GetAtt"][0]] if "Fn::GetAtt" in node else []
        return named + [name for child in node.values() for name in values(child)]
    if isinstance(node, list):
        return [name for child in node for name in values(child)]
    return []


def test_alarms_are_few_and_say_what_to_do() -> None:
    assert 0 < len(ALARMS) <= MAX_ALARMS
    for name, alarm in ALARMS.items():
        assert len(alarm["AlarmDescription"].split(". ")) > 1, name
        assert len(alarm["AlarmDescription"]) <= 1024, name


def test_an_alarm_tells_the_topic_if_there_is_one_and_tells_when_it_is_over() -> None:
    for alarm in ALARMS.values():
        for actions in (alarm["AlarmActions"], alarm["OKActions"]):
            assert actions["Fn::If"][:2] == ["HasAlarmTopic", [{"Ref": "AlarmTopicArn"}]]


def test_alarms_watch_what_is_there() -> None:
    for name, alarm in ALARMS.items():
        assert alarm["Dimensions"], name
        for referred in values(alarm["Dimensions"]):
            assert referred in KNOWN, (name, referred)
        if alarm["Namespace"] == NAMESPACE:
            assert alarm["MetricName"] in OURS
            assert [one["Name"] for one in alarm["Dimensions"]] == [TEAM]


def test_two_stacks_that_nobody_named_do_not_raise_each_others_alarms() -> None:
    teams = [one["Value"] for alarm in ALARMS.values() for one in alarm["Dimensions"] if one["Name"] == TEAM]
    functions = of_type(RESOURCES, "AWS::Serverless::Function").values()
    told = [one["Properties"]["Environment"]["Variables"]["FORGE_TEAM"] for one in functions]

    assert teams
    assert PARAMETERS["TeamName"]["Default"] == ""
    for team in (*teams, *told):
        assert team == {"Fn::If": ["HasTeamName", {"Ref": "TeamName"}, {"Ref": "AWS::StackName"}]}


def test_only_silence_is_alarming_by_itself() -> None:
    breaching = {name for name, one in ALARMS.items() if one["TreatMissingData"] == "breaching"}

    assert breaching == {"SweepSilentAlarm"}


def test_the_dashboard_is_one_and_shows_every_alarm_and_figures_that_are_there() -> None:
    (dashboard,) = of_type(RESOURCES, "AWS::CloudWatch::Dashboard").values()
    text, names = dashboard["Properties"]["DashboardBody"]["Fn::Sub"]
    placeholders = set(re.findall(r"\$\{([^}]+)\}", text))

    widgets = json.loads(text)["widgets"]
    (alarms,) = [one for one in widgets if one["type"] == "alarm"]

    assert {name.strip("${}") for name in alarms["properties"]["alarms"]} == set(ALARMS)
    assert placeholders - {"AWS::Region"} <= set(names)
    assert KNOWN.issuperset(values(names))
    ours = [row for one in widgets for row in one["properties"].get("metrics", ()) if row[0] == NAMESPACE]
    assert {row[1] for row in ours} == OURS
    assert f"{{{NAMESPACE},{TEAM},{TOOLS}}}" in text


def test_dashboard_widgets_do_not_overlap() -> None:
    (dashboard,) = of_type(RESOURCES, "AWS::CloudWatch::Dashboard").values()
    widgets = json.loads(dashboard["Properties"]["DashboardBody"]["Fn::Sub"][0])["widgets"]
    places = {(one["x"], one["y"]) for one in widgets}

    assert len(places) == len(widgets)
    assert all(one["x"] + one["width"] <= 24 for one in widgets)


def test_our_metrics_are_few_with_every_namespace() -> None:
    now = [
        one for one in find_namespaces().values() if Surface.MCP in {t.surface for t in one.tools.values()}
    ]
    in_router_protocol_and_operators = 4
    namespaces = len(now) + in_router_protocol_and_operators

    # Durations by namespace and of all; the rest of all only.
    assert namespaces + 1 + len(COUNTS) + OF_WORKERS <= MAX_METRICS
