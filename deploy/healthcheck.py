"""Whether the bot in this container answers: exit 0, else 1 and why. Needs nothing but Python.

PORT and MISHU__WEB__TOKEN are read from the environment. Where the token stands only in `.env`, a refusal is
an answer too; else the database has to work as well.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request

WITHIN = 4.0


def main() -> int:
    """Ask `/api/health` once."""
    request = urllib.request.Request(f"http://127.0.0.1:{os.environ.get('PORT') or 8080}/api/health")
    token = os.environ.get("MISHU__WEB__TOKEN")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=WITHIN) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as error:
        print(f"the API answers {error.code}")
        return 0 if error.code in (401, 403) else 1
    except (OSError, ValueError) as error:
        print(f"no answer: {type(error).__name__}")
        return 1
    print(
        f"database {found.get('database')}, model {found.get('llm')}, accounts {len(found.get('bots', []))}"
    )
    return 0 if found.get("database") == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
