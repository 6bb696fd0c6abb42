"""Lambda entry point of the projects namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.projects.tools import namespace

handler = lambda_handler(namespace)
