"""The state machines in the template: they wait as long as the product says, and may send to one queue."""

from typing import Any

import pytest

from forge.store.physical import MACHINES
from forge.work.plans.waits.waits import COURSES, Stage, WaitKind
from infra.stack.machines import definition
from tests.contract import permissions
from tests.contract.stacks import RESOURCES
from tests.contract.test_template import actions_of, of_type

BY_NAME = {kind.machine: course for kind, course in COURSES.items()}
WAITING = ".waitForTaskToken"


def tasks_of(name: str) -> list[dict[str, Any]]:
    return [state for state in definition(name)["States"].values() if state["Type"] == "Task"]


def stage_of(task: dict[str, Any]) -> Stage:
    return Stage(task["Parameters"]["MessageBody"]["stage"])


def test_there_is_a_machine_for_everything_that_can_be_waited_for() -> None:
    assert set(MACHINES) == {kind.machine for kind in WaitKind}
    assert len(of_type("AWS::StepFunctions::StateMachine")) == len(MACHINES)


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_goes_through_the_stages_and_waits_in_each_as_long_as_the_product(name: str) -> None:
    waiting = [task for task in tasks_of(name) if task["Resource"].endswith(WAITING)]
    last = [task for task in tasks_of(name) if task not in waiting]

    assert [(stage_of(task), task["TimeoutSeconds"]) for task in waiting] == [
        (leg.stage, leg.lasts.total_seconds()) for leg in BY_NAME[name].legs
    ]
    assert [stage_of(task) for task in last] == [BY_NAME[name].end]


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_only_sends_messages_and_tries_again_where_that_fails(name: str) -> None:
    for task in tasks_of(name):
        assert task["Resource"].removesuffix(WAITING) == "arn:${AWS::Partition}:states:::sqs:sendMessage"
        assert task["Parameters"]["QueueUrl"] == "${WaitsQueueUrl}"
        assert [one["ErrorEquals"] for one in task["Retry"]] == [["States.TaskFailed"]]


@pytest.mark.parametrize("name", MACHINES)
def test_an_execution_can_begin_in_any_stage_that_waits(name: str) -> None:
    document = definition(name)
    choice = document["States"][document["StartAt"]]
    begun = {one["StringEquals"]: one["Next"] for one in choice["Choices"]} | {"ASKED": choice["Default"]}

    assert {Stage(stage): stage_of(document["States"][state]) for stage, state in begun.items()} == {
        leg.stage: leg.stage for leg in BY_NAME[name].legs
    }


def test_a_machine_is_of_the_partition_that_it_is_deployed_to() -> None:
    machines = [RESOURCES[name]["Properties"] for name in of_type("AWS::StepFunctions::StateMachine")]
    states = [state for machine in machines for state in machine["Definition"]["States"].values()]

    named = [state["Resource"]["Fn::Sub"] for state in states if "Resource" in state]

    assert named
    assert all(one.startswith("arn:${AWS::Partition}:states:::") for one in named)


def test_machines_may_send_to_the_queue_of_waits_alone() -> None:
    """And use the key, where the queue is encrypted with one."""
    statements = permissions.statements_of(RESOURCES["MachinesRole"], {})
    with_key = permissions.statements_of(RESOURCES["MachinesRole"], {"HasKey": True})

    assert [(one["Action"], one["Resource"]) for one in statements] == [
        (["sqs:SendMessage"], [{"Fn::GetAtt": ["WaitsQueue", "Arn"]}])
    ]
    assert [one["Resource"] for one in with_key if one not in statements] == [[{"Ref": "KmsKeyArn"}]]


def test_one_function_alone_starts_executions() -> None:
    starting = {role for role in of_type("AWS::IAM::Role") if "states:StartExecution" in actions_of(role)}

    assert starting == {"WaitsRole"}
