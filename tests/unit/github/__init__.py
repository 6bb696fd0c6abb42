"""How GitHub is asked, and as whom."""
