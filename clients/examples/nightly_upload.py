"""Numbers the rows of a CSV file and writes a copy with the numbers in more columns: python3 nightly_upload.py orders.csv numbered.csv

The first column contains the keys, unless NUMERA_COLUMN names another one. If it fails, run it again: the service recognizes the
file by its content and numbers each key only once. Needs only Python 3.9 or later."""

import hashlib
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API = os.environ.get("NUMERA_URL", "http://127.0.0.1:7071/api")
SEQUENCE = os.environ.get("NUMERA_SEQUENCE", "shop/order")
COLUMN = os.environ.get("NUMERA_COLUMN")
KEY = {"x-functions-key": os.environ["NUMERA_KEY"]} if "NUMERA_KEY" in os.environ else {}
TRIES = 8
TRY_AGAIN = {408, 429, 500, 502, 503, 504}


def call(method, url, data=None, **headers):
    """Returns status, headers and body. Repeats the call when a retry can help, which is safe for each call of this program."""
    for tried in range(1, TRIES + 1):
        wait = 2 ** (tried - 2)
        request = urllib.request.Request(url, data, {**KEY, **headers}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as e:
            if e.code not in TRY_AGAIN or tried == TRIES:
                sys.exit(f"{e.code} {e.read().decode()}")
            wait = max(wait, seconds(e.headers))
        except (OSError, http.client.HTTPException) as e:
            if tried == TRIES:
                sys.exit(f"{url} does not answer. Run this again: {e!r}")
        time.sleep(wait)


def seconds(headers):
    """Returns the wait that the server states; 0 if it states none, or a date, as some gateways do."""
    stated = headers.get("Retry-After", "")
    return int(stated) if stated.isdecimal() else 0


def main(source, target):
    with open(source, "rb") as file:
        content = file.read()
    column = "?" + urllib.parse.urlencode({"keyColumn": COLUMN}) if COLUMN else ""
    _, _, body = call(
        "POST",
        f"{API}/sequences/{SEQUENCE}/batches/csv{column}",
        content,
        **{"Content-Type": "text/csv", "Idempotency-Key": hashlib.sha256(content).hexdigest()},
    )
    location = f"{API}/sequences/{SEQUENCE}/batches/{json.loads(body)['id']}"
    while True:
        status, headers, body = call("GET", location, Accept="text/csv")
        if status != 202:
            break
        upload = json.loads(body)
        print(f"{upload['done']} of {upload['keys']}", file=sys.stderr)
        time.sleep(max(seconds(headers), 1))
    with open(target, "wb") as file:
        file.write(body)


if __name__ == "__main__":
    main(*sys.argv[1:])
