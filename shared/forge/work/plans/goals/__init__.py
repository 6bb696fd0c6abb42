"""Goals, their crews at work, who decides about them, and the gates at which plans wait."""
