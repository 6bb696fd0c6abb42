"""The CloudFormation stack, part by part; `infra.template` puts them together."""
