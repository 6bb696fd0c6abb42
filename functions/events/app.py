"""Lambda entry point of the events namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.events.tools import namespace

handler = lambda_handler(namespace)
