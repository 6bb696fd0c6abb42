"""Lambda entry point of the operators' surface."""

from forge.wire.aws_lambda import lambda_handler
from forge.wire.observing import observed_requests

handler = observed_requests("admin", lambda_handler(__package__))
