"""Lambda entry point of the relations namespace."""

from forge.wire.aws_lambda import lambda_handler
from functions.relations.tools import namespace

handler = lambda_handler(namespace)
