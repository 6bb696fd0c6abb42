"""The peers as contenders. Runs in their own environment, where Forge is not installed.

Each is set up as its documentation says, and does none of the checks that Forge does: no key, no
rate, no log line; awslabs does not validate arguments either.
"""

import importlib
import json
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI
from mangum import Mangum
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel

from tests.bench import workload
from tests.bench.worker import Task, serve
from tests.bench.workload import RECEIPT, ToolSpec

Handler = Any
"""The packages are missing where types are checked."""


class Receipt(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    id: str
    identifier: str
    title: str
    status: str
    created_at: datetime
    label_ids: list[str]


_CREATED_AT = datetime.fromisoformat(str(RECEIPT["createdAt"]))
_encode = json.JSONEncoder(separators=(",", ":")).encode


def awslabs_handler() -> Handler:
    server = importlib.import_module("awslabs.mcp_lambda_handler").MCPLambdaHandler("bench")
    for spec in workload.tool_specs():
        server.tool()(_awslabs_tool(spec))
    return server.handle_request


def _awslabs_tool(spec: ToolSpec) -> Any:
    def tool(**arguments: Any) -> str:
        return _encode(RECEIPT | {"title": arguments["title"], "labelIds": arguments["labelIds"]})

    described = "\n".join(f"    {item.wire_name}: {item.description}" for item in spec.parameters)
    # It publishes the first paragraph only; joined, its list is as long as ours.
    summary = spec.description.replace("\n\n", " ")
    tool.__doc__ = f"{summary}\n\nArgs:\n{described}"
    tool.__name__ = spec.name
    tool.__annotations__ = {item.wire_name: item.kind for item in spec.parameters}
    return tool


def fastapi_handler(*, in_thread: bool) -> Handler:
    """One route. What waits for AWS is `def`, and FastAPI gives it a thread; `async def` is cheaper."""
    app = FastAPI()
    request_type = _fastapi_input(workload.called_tool())

    def create(request: Any) -> Receipt:
        return Receipt(
            id="iss_01JZX3V9Q6M2T8R4N7K5W1Y0AB",
            identifier="DEMO-42",
            title=request.title,
            status="TODO",
            created_at=_CREATED_AT,
            label_ids=request.label_ids,
        )

    async def create_at_once(request: Any) -> Receipt:
        return create(request)

    endpoint = create if in_thread else create_at_once
    endpoint.__annotations__["request"] = request_type
    app.post(workload.ROUTE_PATH)(endpoint)
    return Mangum(app, lifespan="off")


def _fastapi_input(spec: ToolSpec) -> type[BaseModel]:
    title, *optional = spec.parameters
    fields: dict[str, Any] = {item.name: (_hint(item, item.kind | None), None) for item in optional}
    fields[title.name] = (_hint(title, title.kind), ...)
    config = ConfigDict(alias_generator=to_camel, extra="forbid")
    return create_model("CreateIssue", __config__=config, **fields)


def _hint(parameter: workload.Parameter, kind: Any) -> Any:
    return Annotated[kind, Field(description=parameter.description, max_length=parameter.max_length)]


def tasks() -> dict[str, Task]:
    awslabs = awslabs_handler()
    call = workload.event(workload.call_body())
    listing = workload.event(workload.list_body(), query={"profile": "full"})
    route = workload.event(json.dumps(workload.called_tool().arguments), path=workload.ROUTE_PATH)
    tasks: dict[str, Task] = {
        "call-awslabs": partial(awslabs, call, None),
        "list-awslabs": partial(awslabs, listing, None),
        "call-fastapi": partial(fastapi_handler(in_thread=True), route, None),
        "call-fastapi-async": partial(fastapi_handler(in_thread=False), route, None),
    }
    for name, task in tasks.items():
        _require_right(name, task())
    return tasks


def _require_right(name: str, answer: Any) -> None:
    body = json.loads(answer["body"])
    if name.startswith("list"):
        workload.require(len(body["result"]["tools"]) == workload.TOOL_COUNT, answer)
        return
    if name == "call-awslabs":
        body = json.loads(body["result"]["content"][0]["text"])
    workload.require(body == RECEIPT, answer)


if __name__ == "__main__":
    serve(tasks())
