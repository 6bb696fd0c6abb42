"""What agents offer besides tools: their words."""

from forge.contract.offering import Offering
from functions.agents import tools

offers = Offering(tools.namespace)

offers.completion("agent", tools.list, "profileKey", also=("name",))
