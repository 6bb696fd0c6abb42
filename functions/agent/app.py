"""Lambda entry point of the agent namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.agent.tools import namespace

handler = lambda_handler(namespace)
