"""Opens the console in a real browser, against a Forge on this machine, and uses it as an operator does.

python -m tests.console.run --into .tools/console [--only WORDS]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from forge.testing.openid import OpenIdProvider
from tests.console.seeding import seed
from tests.integration.cli.dev_process import running_dev

SCRIPTS = Path(__file__).with_name("scripts")
_OWNER = {"sub": "owner", "email": "owner@demo.example", "email_verified": True}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 900


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, required=True, help="where playwright-core is installed")
    parser.add_argument("--only", default="", help="words of the checks to run, instead of all")
    given = parser.parse_args()
    browser = find_browser()
    if browser is None:
        return 1
    with (
        TemporaryDirectory() as folder,
        running_dev(Path(folder) / "home") as dev,
        OpenIdProvider(account=_OWNER).serve() as issuer,
        running_dev(Path(folder) / "elsewhere", _signing_in_at(issuer)) as other,
    ):
        facts = {**seed(dev), "browser": browser, "profile": folder, "only": given.only}
        facts["singleSignOn"] = {"baseUrl": other.base_url, "owner": other.owner_key}
        return drive(given.into.resolve(), json.dumps(facts))


def _signing_in_at(issuer: str) -> dict[str, str]:
    """Another Forge, whose people have accounts at a provider."""
    return {
        "FORGE_OIDC_ISSUER": issuer,
        "FORGE_OIDC_CLIENT_ID": "forge",
        "FORGE_OIDC_SECRET": "a secret for tests",
        "FORGE_OIDC_NAME": "Example ID",
        "FORGE_OIDC_WORKSPACE": "demo",
        "FORGE_OIDC_LOOPBACK": "1",
    }


def find_browser() -> str | None:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        print(f"There is no browser: none of {', '.join(BROWSERS)}. On Debian: apt-get install chromium")
    return browser


def drive(into: Path, facts: str, script: str = "run.mjs") -> int:
    # Beside what they import: Node looks for packages from the script's own folder upwards.
    shutil.copytree(SCRIPTS, into / "scripts", dirs_exist_ok=True)
    command = ["node", str(into / "scripts" / script)]
    environment = {**os.environ, "FORGE_FACTS": facts}
    return subprocess.run(command, env=environment, timeout=_SECONDS, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
