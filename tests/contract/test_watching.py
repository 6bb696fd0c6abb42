"""What an operator is shown and woken by: few alarms that say what to do, one dashboard, few metrics."""

import json
import re
from typing import Any

from forge.contract.terms import Surface
from forge.store.physical import INDEXES, MACHINES, QUEUES
from forge.wire.measures import COUNTS, DURATION, GIVEN_UP, NAMESPACE, TEAM
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
OURS = {DURATION, *COUNTS, GIVEN_UP}
MAX_SHOWN = 50
"""Figures on a dashboard that is among the three which an account has for nothing."""


def queries_of(alarm: dict[str, Any], *, with_indexes: bool = True) -> list[dict[str, Any]]:
    """Of an alarm that makes one figure of several."""
    queries = alarm.get("Metrics", [])
    chosen: list[dict[str, Any]] = queries
    if "Fn::If" in queries:
        chosen = queries["Fn::If"][1 if with_indexes else 2]
    return chosen


def figures(alarm: dict[str, Any], *, with_indexes: bool = True) -> list[dict[str, Any]]:
    """What an alarm watches, each with its dimensions."""
    if "MetricName" in alarm:
        return [alarm]
    queries = queries_of(alarm, with_indexes=with_indexes)
    return [one["MetricStat"]["Metric"] for one in queries if "MetricStat" in one]


def watched(name: str) -> set[str]:
    """Of every figure of this name that an alarm watches, what it is of."""
    found = [one for alarm in ALARMS.values() for one in figures(alarm) if one["MetricName"] == name]
    return {json.dumps(one["Dimensions"]) for one in found}


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
            topic, mail = (one["Fn::If"][:2] for one in actions)
            assert topic == ["HasAlarmTopic", {"Ref": "AlarmTopicArn"}]
            assert mail == ["HasAlarmEmail", {"Ref": "AlarmTopic"}]
    assert RESOURCES["AlarmTopic"]["Condition"] == "HasAlarmEmail"


def test_alarms_watch_what_is_there() -> None:
    for name, alarm in ALARMS.items():
        for figure in figures(alarm):
            assert figure["Dimensions"], name
            for referred in values(figure["Dimensions"]):
                assert referred in KNOWN, (name, referred)
            if figure["Namespace"] == NAMESPACE:
                assert figure["MetricName"] in OURS
                assert figure["Dimensions"][-1]["Name"] == TEAM


def test_index_throttles_queue_ages_ended_waits_and_what_was_given_up_are_watched() -> None:
    assert len(watched("ReadThrottleEvents")) == len(watched("WriteThrottleEvents")) == 1 + len(INDEXES)
    # Of exports and erasures, whoever ordered one sees how far it is.
    assert len(watched("ApproximateAgeOfOldestMessage")) == len(QUEUES) - 2
    assert len(watched("ApproximateNumberOfMessagesVisible")) == 3
    assert len(watched("ExecutionsFailed")) == len(MACHINES)
    assert len(watched(GIVEN_UP)) == 2


def test_a_figure_that_is_made_of_several_is_made_of_all_of_them() -> None:
    for name, alarm in ALARMS.items():
        queries = queries_of(alarm)
        ids = [one["Id"] for one in queries if "MetricStat" in one]
        assert len(set(ids)) == len(ids) <= 10, name
        for shown in (one["Expression"] for one in queries if one["ReturnData"]):
            assert shown == "SUM(METRICS())" or re.findall(r"\bm\d+\b", shown) == ids, name


def test_indexes_are_watched_only_where_somebody_pays_for_it() -> None:
    assert PARAMETERS["IndexAlarms"]["Default"] == "false"
    default, everything = (
        sum(len(figures(alarm, with_indexes=asked)) for alarm in ALARMS.values()) for asked in (False, True)
    )

    assert everything - default == 2 * len(INDEXES)


def test_two_stacks_that_nobody_named_do_not_raise_each_others_alarms() -> None:
    watched = [figure for alarm in ALARMS.values() for figure in figures(alarm)]
    teams = [one["Value"] for figure in watched for one in figure["Dimensions"] if one["Name"] == TEAM]
    functions = of_type(RESOURCES, "AWS::Serverless::Function").values()
    told = [one["Properties"]["Environment"]["Variables"]["FORGE_TEAM"] for one in functions]

    assert teams
    assert PARAMETERS["TeamName"]["Default"] == ""
    for team in (*teams, *told):
        assert team == {"Fn::If": ["HasTeamName", {"Ref": "TeamName"}, {"Ref": "AWS::StackName"}]}


def test_a_stack_without_figures_yet_raises_no_alarm_and_a_sweep_that_falls_silent_is_told_of() -> None:
    """An alarm begins without data, so that having none yet is no change that anybody is told of."""
    missing = {name: one["TreatMissingData"] for name, one in ALARMS.items()}
    silence = {name for name, one in ALARMS.items() if "InsufficientDataActions" in one}

    assert "breaching" not in missing.values()
    assert silence == {"SweepAlarm"} == {name for name, how in missing.items() if how == "missing"}


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
    assert sum(len(one["properties"].get("metrics", ())) for one in widgets) <= MAX_SHOWN


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

    # Durations by namespace, where that is asked for, and of all; the rest of all only.
    assert namespaces + 1 + len(COUNTS) + OF_WORKERS <= MAX_METRICS
