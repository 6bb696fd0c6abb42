"""Lambda entry point of the agents namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.agents.tools import namespace

handler = lambda_handler(namespace)
