"""GitHub: what issues have to do with issues and pull requests there. Nothing is ever changed on GitHub."""
