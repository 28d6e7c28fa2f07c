"""Numbers orders, each once whatever fails: python3 checkout.py order-9001 order-9002

The order's own id is the key. A key gets the same number for ever, so after any failure, a crash of this program too, the same
request is sent again. Needs Python 3.9 or later and nothing else."""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API = os.environ.get("NUMERA_URL", "http://127.0.0.1:7071/api")
SEQUENCE = os.environ.get("NUMERA_SEQUENCE", "shop/order")
HEADERS = {"x-functions-key": os.environ["NUMERA_KEY"]} if "NUMERA_KEY" in os.environ else {}
TRY_FOR_SECONDS = 120
ANSWER_WITHIN_SECONDS = 30
TRY_AGAIN = {408, 429, 500, 502, 503, 504}


class Refused(Exception):
    """What was answered does not change by another request."""


def number_of(order):
    """The number of an order, as it is to be printed: always the same for the same order."""
    deadline = time.monotonic() + TRY_FOR_SECONDS
    longest = 0.25
    while True:
        wait = longest * random.uniform(0.5, 1)
        try:
            numbers = request(order)
            return numbers["texts"][0] if "texts" in numbers else str(numbers["first"])
        except urllib.error.HTTPError as e:
            failure = f"{e.code} {body(e)}"
            retry_after = e.headers.get("Retry-After")
            is_problem = e.headers.get_content_type() == "application/problem+json"
            if e.code not in TRY_AGAIN or (is_problem and not retry_after):
                raise Refused(failure) from None
            wait = max(wait, int(retry_after or 0))
        except (OSError, http.client.HTTPException, ValueError) as e:
            # No answer, or half of one: whether there is a number is not known, and need not be.
            failure = repr(e)
        if time.monotonic() + wait > deadline:
            raise TimeoutError(f"No number for {order} yet. Try again later, with the same key. {failure}")
        print(f"{order}: trying again in {wait:.1f} s. {failure}", file=sys.stderr)
        time.sleep(wait)
        longest = min(2 * longest, 10)


def request(order):
    url = f"{API}/sequences/{SEQUENCE}/next?key={urllib.parse.quote(order, safe='')}"
    request = urllib.request.Request(url, data=b"", headers=HEADERS, method="POST")
    with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_SECONDS) as answer:
        return json.load(answer)


def body(error):
    try:
        return error.read().decode()
    except (OSError, http.client.HTTPException):
        return "with half of a body"


if __name__ == "__main__":
    for each in sys.argv[1:]:
        print(each, number_of(each), flush=True)
