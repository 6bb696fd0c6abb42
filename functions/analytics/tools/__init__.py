"""The analytics' tools, by what they tell. Each module registers its own in this one namespace."""

from forge.contract.terms import Scope
from forge.contract.tools import Namespace

namespace = Namespace("analytics", "See how the work goes.", reads=[Scope.READ_ANALYTICS])
