"""Figures that CloudWatch has: AWS's own, and those that log lines tell it."""

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

    def row(self, label: str, names: dict[str, Any]) -> list[Any]:
        """As a dashboard takes it, in which values of the stack stand under names."""
        pairs = [part for name, value in self.dimensions for part in (name, _named(value, names))]
        return [self.namespace, self.name, *pairs, {"stat": self.statistic, "label": label}]


def of_team(name: str, statistic: str) -> Metric:
    return Metric(NAMESPACE, name, ((TEAM, team()),), statistic)


def of_function(folder: str, name: str, statistic: str) -> Metric:
    return Metric("AWS/Lambda", name, (("FunctionName", ref(function_id(folder))),), statistic)


def of_queue(queue: str, name: str) -> Metric:
    return Metric("AWS/SQS", _SQS[name], (("QueueName", attribute(queue, "QueueName")),), "Maximum")


def of_table(table: str, name: str) -> Metric:
    return Metric("AWS/DynamoDB", name, (("TableName", ref(table)),), "Sum")


def _named(value: Any, names: dict[str, Any]) -> str:
    """A placeholder for Fn::Sub, and what it stands for."""
    if value == team():
        name = TEAM
    else:
        name = "".join(value["Fn::GetAtt"]) if "Fn::GetAtt" in value else str(value["Ref"])
    names[name] = value
    return f"${{{name}}}"
