"""Lambda entry point of the workspace namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.workspace.tools import namespace

handler = lambda_handler(namespace)
