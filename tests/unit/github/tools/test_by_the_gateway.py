"""Through the gateway nobody waits for GitHub: a worker asks, and the result is read afterwards."""

from forge.wire import tasking
from forge.work.plans.gateway.tasks import TaskItem
from tests.unit.github.tools.hubs import NAME, Hub
from tests.workshop.interference import Interference


def test_an_import_through_the_gateway_is_a_task_whose_result_is_read(
    contested: tuple[Hub, Interference],
) -> None:
    hub, _ = contested
    office, services = hub.office, hub.office.world.services
    params = {"repoFullName": NAME, "number": hub.app.add_issue("Login hangs")}
    request = {"intent": "EXECUTE", "action": "github.importIssue", "effect": "EXTERNAL_EXEC"}

    put_off = office.call("gateway.execute", {**request, "params": params})
    asked_meanwhile = hub.asked()
    done = [
        tasking.perform(office.world.edge, services, one.body)
        for one in services.store.queues.receive(TaskItem.queue, most=10)
    ]
    result = office.call("gateway.result", {"task_id": put_off["meta"]["task_id"]})

    assert put_off["result"]["data"]["next"]["action"] == "gateway.result"
    assert (put_off["ok"], asked_meanwhile) == (True, 0)
    assert done == [True]
    assert (result["meta"]["task_state"], result["result"]["data"]["created"]) == ("DONE", True)
    (issue,) = office.rows("issues.list")
    assert issue["id"] == result["result"]["data"]["issueId"]
