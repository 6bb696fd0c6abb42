"""Action requests: what agents and people ask of a person, who may decide it, and what follows from a yes."""
