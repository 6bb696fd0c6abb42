"""Lambda entry point of the greetings namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.greetings.tools import namespace

handler = lambda_handler(namespace)
