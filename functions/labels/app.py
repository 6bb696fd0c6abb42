"""Lambda entry point of the labels namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.labels.tools import namespace

handler = lambda_handler(namespace)
