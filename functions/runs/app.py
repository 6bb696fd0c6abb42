"""Lambda entry point of the runs namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.runs.tools import namespace

handler = lambda_handler(namespace)
