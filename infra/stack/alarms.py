"""What somebody has to look at. Each alarm tells the team's topic, if there is one."""

from infra.stack.data import RELAY_FAILURES
from infra.stack.shapes import Resource, Resources, attribute, ref


def alarm_resources() -> Resources:
    return {
        f"{RELAY_FAILURES}Alarm": _anything_in(
            RELAY_FAILURES,
            "The relay gave up on changes that agents should hear of. The sweep sends them later; "
            "the log of the relay says why.",
        )
    }


def _anything_in(queue: str, description: str) -> Resource:
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "AlarmDescription": description,
            "Namespace": "AWS/SQS",
            "MetricName": "ApproximateNumberOfMessagesVisible",
            "Dimensions": [{"Name": "QueueName", "Value": attribute(queue, "QueueName")}],
            "Statistic": "Maximum",
            "Period": 60,
            "EvaluationPeriods": 1,
            "Threshold": 0,
            "ComparisonOperator": "GreaterThanThreshold",
            # A queue in which nothing ever was has no figures.
            "TreatMissingData": "notBreaching",
            "AlarmActions": {"Fn::If": ["HasAlarmTopic", [ref("AlarmTopicArn")], ref("AWS::NoValue")]},
        },
    }
