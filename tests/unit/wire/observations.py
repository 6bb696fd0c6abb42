"""What a function wrote to its log, as CloudWatch reads it: lines, and metrics in the embedded format."""

import json
from typing import Any


def lines(written: str) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, written.splitlines()) if "_aws" not in line]


def metrics(written: str) -> dict[str, Any]:
    """The counts of the only metrics that were published, and their dimension."""
    (published,) = [line for line in map(json.loads, written.splitlines()) if "_aws" in line]
    (described,) = published["_aws"]["CloudWatchMetrics"]
    assert described["Namespace"] == "Forge"
    assert described["Dimensions"] == [["service"]]
    counts = {one["Name"]: sum(published[one["Name"]]) for one in described["Metrics"]}
    return {"service": published["service"], **counts}
