"""What projects offer besides tools: their words."""

from forge.contract.offering import Offering
from functions.projects import tools

offers = Offering(tools.namespace)

offers.completion("project", tools.list, "key", also=("name",), arguments={"limit": 100})
