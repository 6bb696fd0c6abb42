"""A name of the team's own for the API: only where the parameters give one."""

from infra.stack.addresses import API
from infra.stack.api import STAGE
from infra.stack.shapes import Resources, attribute, ref

_DOMAIN = "Domain"


def domain_resources() -> Resources:
    return {
        _DOMAIN: {
            "Type": "AWS::ApiGatewayV2::DomainName",
            "Condition": "HasDomain",
            # The linter takes the parameter's default for the certificate, which is not made then.
            "Metadata": {"cfn-lint": {"config": {"ignore_checks": ["W1030"]}}},
            "Properties": {
                "DomainName": ref("DomainName"),
                "DomainNameConfigurations": [
                    {
                        "CertificateArn": ref("CertificateArn"),
                        "EndpointType": "REGIONAL",
                        "SecurityPolicy": "TLS_1_2",
                    }
                ],
            },
        },
        "DomainMapping": {
            "Type": "AWS::ApiGatewayV2::ApiMapping",
            "Condition": "HasDomain",
            "Properties": {"ApiId": ref(API), "DomainName": ref(_DOMAIN), "Stage": ref(STAGE)},
        },
        "DomainRecord": {
            "Type": "AWS::Route53::RecordSet",
            "Condition": "HasDomainRecord",
            "Properties": {
                "HostedZoneId": ref("HostedZoneId"),
                "Name": ref("DomainName"),
                "Type": "A",
                "AliasTarget": {
                    "DNSName": attribute(_DOMAIN, "RegionalDomainName"),
                    "HostedZoneId": attribute(_DOMAIN, "RegionalHostedZoneId"),
                },
            },
        },
    }
