"""Figures that CloudWatch has: AWS's own, and those that log lines tell it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from forge.wire.measures import NAMESPACE, TEAM
from infra.stack.functions import function_id
from infra.stack.parameters import team
from infra.stack.shapes import attribute, ref

_SQS = {"Visible": "ApproximateNumberOfMessagesVisible", "Age": "ApproximateAgeOfOldestMessage"}


@dataclass(frozen=True, slots=True)
class Metric:
    namespace: str
    name: str
    dimensions: tuple[tuple[str, Any], ...]
    statistic: str

    def watched(self, period: int) -> dict[str, Any]:
        """As an alarm takes it."""
        is_percentile = self.statistic.startswith("p")
        return {
            "Namespace": self.namespace,
            "MetricName": self.name,
            "Dimensions": [{"Name": name, "Value": value} for name, value in self.dimensions],
            "ExtendedStatistic" if is_percentile else "Statistic": self.statistic,
            "Period": period,
        }

    def queried(self, place: int, period: int) -> dict[str, Any]:
        """As one of several that an alarm takes together."""
        dimensions = [{"Name": name, "Value": value} for name, value in self.dimensions]
        metric = {"Namespace": self.namespace, "MetricName": self.name, "Dimensions": dimensions}
        stat = {"Metric": metric, "Period": period, "Stat": self.statistic}
        return {"Id": f"m{place}", "MetricStat": stat, "ReturnData": False}

    def row(self, label: str, names: dict[str, Any]) -> list[Any]:
        """As a dashboard takes it, in which values of the stack stand under names."""
        pairs = [part for name, value in self.dimensions for part in (name, _named(value, names))]
        return [self.namespace, self.name, *pairs, {"stat": self.statistic, "label": label}]


def together(metrics: Iterable[Metric], period: int, expression: str) -> list[dict[str, Any]]:
    """What an alarm watches that makes one figure of several."""
    figures = [metric.queried(place, period) for place, metric in enumerate(metrics)]
    return [{"Id": "all", "Expression": expression, "ReturnData": True}, *figures]


def of_team(name: str, statistic: str) -> Metric:
    return Metric(NAMESPACE, name, ((TEAM, team()),), statistic)


def of_service(folder: str, name: str, statistic: str) -> Metric:
    """What a worker counts."""
    return Metric(NAMESPACE, name, (("service", folder), (TEAM, team())), statistic)


def of_function(folder: str, name: str, statistic: str) -> Metric:
    return Metric("AWS/Lambda", name, (("FunctionName", ref(function_id(folder))),), statistic)


def of_queue(queue: str, name: str) -> Metric:
    return Metric("AWS/SQS", _SQS[name], (("QueueName", attribute(queue, "QueueName")),), "Maximum")


def of_table(table: str, name: str) -> Metric:
    return Metric("AWS/DynamoDB", name, (("TableName", ref(table)),), "Sum")


def of_index(table: str, index: str, name: str) -> Metric:
    dimensions = (("TableName", ref(table)), ("GlobalSecondaryIndexName", index))
    return Metric("AWS/DynamoDB", name, dimensions, "Sum")


def of_machine(machine: str, name: str) -> Metric:
    return Metric("AWS/States", name, (("StateMachineArn", ref(machine)),), "Sum")


def _named(value: Any, names: dict[str, Any]) -> str:
    """A placeholder for Fn::Sub, and what it stands for."""
    if isinstance(value, str):
        return value
    if value == team():
        name = TEAM
    else:
        name = "".join(value["Fn::GetAtt"]) if "Fn::GetAtt" in value else str(value["Ref"])
    names[name] = value
    return f"${{{name}}}"
