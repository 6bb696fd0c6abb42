"""Powertools' logger, metrics and tracer, for the functions that no agent waits for.

The tool path writes the same lines by hand (see `journal`): importing Powertools takes longer than a call.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from logging import StreamHandler
from typing import Any

from aws_lambda_powertools import Logger, Tracer
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from forge.wire.measures import NAMESPACE, TEAM

Event = dict[str, Any]
Handler = Callable[[Event, Any], dict[str, Any]]

_TIME = "%Y-%m-%dT%H:%M:%S.%FZ"


@dataclass(frozen=True, slots=True)
class Observer:
    """What a function says of its work. Metrics are counted for one event and published after it."""

    logger: Logger
    metrics: EphemeralMetrics
    tracer: Tracer | None = None
    """Only where traces are wanted: its SDK makes a client at once."""
    team: str = ""

    @classmethod
    def of(cls, service: str, environment: Mapping[str, str]) -> "Observer":
        """FORGE_TRACING=Active asks for traces; metrics are those of a team, if the deployment names one."""
        tracer = Tracer(service=service) if environment.get("FORGE_TRACING") == "Active" else None
        metrics = EphemeralMetrics(namespace=NAMESPACE, service=service)
        return cls(_logger(service), metrics, tracer, environment.get("FORGE_TEAM", ""))

    def count(self, **counts: int) -> None:
        """What there is none of is not told: CloudWatch charges for every figure that it hears of."""
        told = {name: value for name, value in counts.items() if value}
        if self.team and told:
            # With each event: what is published is forgotten, dimensions too.
            self.metrics.add_dimension(TEAM, self.team)
        for name, value in told.items():
            self.metrics.add_metric(name=name, unit=MetricUnit.Count, value=int(value))


Work = Callable[[Event, Any, Observer], dict[str, Any]]


def observed(service: str, work: Work) -> Handler:
    """A handler that publishes what its work counts, however the work ends.

    What the work does not catch is left to Lambda, which logs it with its traceback and counts an error.
    """
    # With the first event: importing a function reads no environment.
    observer = cache(lambda: Observer.of(service, os.environ))

    def handle(event: Event, context: Any) -> dict[str, Any]:
        here = observer()
        here.logger.append_keys(requestId=getattr(context, "aws_request_id", "none"))

        def handler(event: Event, context: Any) -> dict[str, Any]:
            return work(event, context, here)

        if here.tracer is not None:
            # A trace is for many eyes, and an operator's answer may hold a key.
            handler = here.tracer.capture_lambda_handler(handler, capture_response=False)
        try:
            result: dict[str, Any] = handler(event, context)
            return result
        finally:
            if here.metrics.metric_set:
                here.metrics.flush_metrics()

    return handle


def observed_requests(service: str, handler: Handler) -> Handler:
    """A handler of HTTP requests, with how they ended; the line of each call is the journal's."""

    def work(event: Event, context: Any, observer: Observer) -> dict[str, Any]:
        result = handler(event, context)
        status = result["statusCode"]
        observer.count(calls=1, refused=400 <= status < 500, failed=status >= 500)
        return result

    return observed(service, work)


@cache
def _logger(service: str) -> Logger:
    """Loggers are known by their names, and only the first of a name can be given a handler."""
    return Logger(
        service=service,
        location=None,
        utc=True,
        datefmt=_TIME,
        serialize_stacktrace=False,
        logger_handler=StreamHandler(_Stdout()),
    )


class _Stdout:
    """Whatever stdout is when a line is written: a logger outlives the stream that it began with."""

    def write(self, text: str) -> None:
        sys.stdout.write(text)

    def flush(self) -> None:
        sys.stdout.flush()
