"""Lambda entry point of the artifacts namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.artifacts.tools import namespace

handler = lambda_handler(namespace)
