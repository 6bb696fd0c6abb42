"""The dispatch and the waits in the template: how they take messages, and what they may."""

import pytest

from forge.work.background.deliveries.deliveries import DeliveryItem
from forge.work.overviews.exports.orders import ExportItem
from forge.work.plans.gateway.tasks import TaskItem
from forge.work.workspace.erasures import ErasureItem
from tests.contract.stacks import RESOURCES
from tests.contract.test_template import actions_of, of_type, statements_of

LEASES = {
    "TasksFunction": TaskItem.lease,
    "ExportsFunction": ExportItem.lease,
    "ErasuresFunction": ErasureItem.lease,
}


@pytest.mark.parametrize(
    "function", ["DispatchFunction", "ErasuresFunction", "ExportsFunction", "TasksFunction", "WaitsFunction"]
)
def test_whoever_takes_batches_does_in_parts_and_gives_up_on_none_before_their_time(function: str) -> None:
    properties = RESOURCES[function]["Properties"]
    (queue,) = properties["Events"].values()
    taken = queue["Properties"]
    source = RESOURCES[taken["Queue"]["Fn::GetAtt"][0]]["Properties"]

    assert (queue["Type"], taken["FunctionResponseTypes"]) == ("SQS", ["ReportBatchItemFailures"])
    assert taken["ScalingConfig"]["MaximumConcurrency"] >= 2
    assert source["VisibilityTimeout"] >= 6 * properties["Timeout"]
    assert source["RedrivePolicy"]["maxReceiveCount"] == 20
    # Who still has a lease may still be alive.
    assert LEASES.get(function, DeliveryItem.lease).total_seconds() >= properties["Timeout"]


def test_who_posts_may_take_and_send_messages_and_write_in_workspaces_alone() -> None:
    statements = [*statements_of(RESOURCES["DispatchRole"]["Properties"]["Policies"])]
    writing = [one for one in statements if "dynamodb:PutItem" in one["Action"]]
    queues = [one["Resource"] for one in statements if str(one["Action"]).count("sqs:")]

    assert [one["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] for one in writing] == [
        ["WS#*"]
    ]
    assert queues == [[{"Fn::GetAtt": ["DispatchQueue", "Arn"]}]] * 2
    assert not any("s3:" in action or "secretsmanager:" in action for action in actions_of("DispatchRole"))
    taking = {role for role in of_type("AWS::IAM::Role") if "sqs:ReceiveMessage" in actions_of(role)}
    takers = ("Dispatch", "Erasures", "Errands", "Exports", "Relay", "Tasks", "Waits")
    assert taking == {f"{name}Role" for name in takers}
