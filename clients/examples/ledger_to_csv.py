"""Writes the ledger of a sequence into a file for a spreadsheet: python3 ledger_to_csv.py ledger.csv dateFrom=2026-11-01 dateTo=2026-11-30

Each line has one number with its key, time and status. Without parameters, the file contains the current period (the year, if the
sequence restarts each year). Needs only Python 3.9 or later."""

import http.client
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API = os.environ.get("NUMERA_URL", "http://127.0.0.1:7071/api")
SEQUENCE = os.environ.get("NUMERA_SEQUENCE", "shop/order")
HEADERS = {"Accept": "text/csv"}
if "NUMERA_KEY" in os.environ:
    HEADERS["x-functions-key"] = os.environ["NUMERA_KEY"]
TRIES = 8
TRY_AGAIN = {408, 429, 500, 502, 503, 504}


def page(url):
    """Returns the lines of a page and the address of the next page, or None."""
    for tried in range(1, TRIES + 1):
        wait = tried
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=HEADERS), timeout=60) as answer:
                link = answer.headers.get("Link")
                following = urllib.parse.urljoin(url, link[1 : link.index(">")]) if link else None
                return answer.read().decode("utf-8-sig"), following
        except urllib.error.HTTPError as e:
            if e.code not in TRY_AGAIN or tried == TRIES:
                sys.exit(f"{e.code} {e.read().decode()}")
            stated = e.headers.get("Retry-After", "")
            wait = int(stated) if stated.isdecimal() else tried
        except (OSError, http.client.HTTPException) as e:
            if tried == TRIES:
                sys.exit(f"{url} does not answer: {e!r}")
        time.sleep(wait)


def main(target, *parameters):
    query = dict(parameter.split("=", 1) for parameter in parameters)
    url = f"{API}/sequences/{SEQUENCE}/ledger?{urllib.parse.urlencode({'limit': 1000, **query})}"
    # The byte order mark lets Excel recognize UTF-8. Lines keep their CR and LF.
    with open(target + ".part", "w", encoding="utf-8-sig", newline="") as file:
        is_first = True
        while url:
            text, url = page(url)
            file.write(text if is_first else text.split("\r\n", 1)[1])
            is_first = False
    # An interrupted run leaves the earlier file.
    os.replace(target + ".part", target)


if __name__ == "__main__":
    main(*sys.argv[1:])
