"""Lambda entry point of the statuses namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.statuses.tools import namespace

handler = lambda_handler(namespace)
