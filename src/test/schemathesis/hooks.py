"""Adapts valid requests to the rules that their schema cannot express: rules between fields, which openapi.json states in words, and
the state of the sequence, which a caller knows. Invalid requests stay unchanged."""

import datetime
import json
import os
import pathlib
import re
import time
import urllib.parse
import uuid

import requests
import schemathesis

FORMATS = ["{n}", "INV-{yyyy}-{n:6}", "{scope}/{name}/{n:4}", "{yyyy}{MM}{dd}-{n}{check:luhn}", "{r:19}", "{gggg}-W{ww}-{n:3}{check:mod97}",
           "{fy}/{n:5}", "{fy:2}/{n:5}{check:mod37-36}", "{fy}Q{q}-{n:2 3}", "RF{check:iso11649}{n}", "{{{n}}}"]
TIME_ZONES = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "+05:30", "Z"]
YEAR_STARTS = [1, 4, "04-06"]
RANGE = ["minValue", "start", "maxValue"]
COUNTING = [*RANGE, "increment", "cycle", "cacheSize", "resetEvery", "dateOrder"]
FIXED = ["increment", "guarantee", "cycle", "resetEvery", "timeZone", "fiscalYearStart"]
KEY = {"x-functions-key": os.environ["NUMERA_KEY"]}
TEMPLATES = "~"
DATES = ["1990-01-01", str(datetime.date.today())]


# The exact pattern of reasons and other texts for people. The document's pattern is wider, to suit the regular expressions of all languages.
PRINTABLE = pathlib.Path(__file__).with_name("printable.txt").read_text().strip()
# The exact pattern of keys: the same, without an invisible character at either end.
PRINTABLE_KEY = pathlib.Path(__file__).with_name("key.txt").read_text().strip()


@schemathesis.hook
def before_load_schema(context, raw_schema):
    key = raw_schema["components"]["schemas"]["Key"]
    refine(raw_schema, key["pattern"])
    key["pattern"] = PRINTABLE_KEY
    # Limits names to Latin letters in percent-encoded UTF-8.
    letter = "(?:[!-$&-~]|%C3%[89AB][0-9A-F])"
    raw_schema["components"]["parameters"]["ActorParameter"]["schema"]["pattern"] = f"^{letter}(?:(?: |{letter}){{0,98}}{letter})?$"


def refine(node, pattern):
    if isinstance(node, dict) and node.get("pattern") == pattern:
        node["pattern"] = PRINTABLE
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
        refine(child, pattern)


@schemathesis.hook
def filter_query(context, query):
    """Skips long queries, which the host answers with 414 before it calls the app."""
    return not isinstance(query, dict) or len(urllib.parse.urlencode(query, doseq=True)) < 4000


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta and case.meta.generation.mode.is_positive:
        leave_far_dates(case)
        leave_far_offsets(case)
        RULES.get(case.operation.definition.raw["operationId"], lambda case: None)(case)
        # Schemathesis checks changed headers again before it adds the key.
        case.headers.update(KEY)


def leave_far_offsets(case):
    """Removes times whose offset from UTC exceeds the 18 hours that the app accepts."""
    instant = str((case.query or {}).get("reservedBefore", ""))
    if instant[-6:-5] in ["+", "-"] and instant[-5:] > "18:00":
        del case.query["reservedBefore"]


def leave_far_dates(case):
    """Removes dates that the app may refuse. Numera_MaxDaysAhead limits future dates, ordered dates end tomorrow, and two-digit years
    end with their century."""
    for name in ["date", "dateFrom", "dateTo"]:
        if case.query and name in case.query and not DATES[0] <= str(case.query[name]) <= DATES[1]:
            del case.query[name]


def one_of(choices, generated):
    return choices[sum(str(generated).encode()) % len(choices)]


def ask(method, case, call="", scope=None, json=None, **headers):
    """Calls the app for the case's sequence, or for the same name in another scope. Returns None unless the call succeeds."""
    url = f"{case.operation.base_url}/sequences/{scope or case.path_parameters['scope']}/{case.path_parameters['name']}{call}"
    answer = requests.request(method, url, headers={**KEY, **headers}, json=json, timeout=10)
    return answer.json() if answer.ok else None


def put_definition(case):
    stored = ask("GET", case)
    is_retired = stored and ask("PATCH", case, json={}, **{"If-Match": "*"}) is None
    if stored and not is_retired:
        case.headers = {"If-Match": case.headers.get("If-Match", "*")}
    else:
        case.headers = {"If-None-Match": "*"}
    body = case.body
    choose_texts(body)
    if stored:
        # These fields are fixed by the first number, and the defaults of other fields may not fit them.
        body.update({field: stored.get(field) for field in [*RANGE, "increment", "guarantee", "cycle", "dateOrder"]})
        # A replacement must repeat every declared field.
        for field, value in stored.items():
            body.setdefault(field, value)
    elif any(body.get(field) is not None for field in RANGE):
        given = sorted(body[field] for field in RANGE if body.get(field) is not None)
        body.update(zip(RANGE, [given[0], given[len(given) // 2], given[-1]]))
    if body.get("guarantee") == "gapless":
        body["cycle"] = False
    if body.get("guarantee") == "cached":
        body["dateOrder"] = "none"
    leave_counting(body)
    # Dated texts and periods need a time zone.
    body["timeZone"] = body.get("timeZone") or "UTC"


def leave_counting(body):
    """Resets the fields of counters for snowflake sequences, because a change of the guarantee alone would keep them."""
    if body.get("guarantee") == "snowflake":
        body.update(dict.fromkeys(COUNTING))


def choose_texts(body):
    """Replaces texts whose rules a pattern cannot describe by valid ones."""
    for field, choices in [("format", FORMATS), ("timeZone", TIME_ZONES), ("fiscalYearStart", YEAR_STARTS)]:
        if body.get(field) is not None:
            body[field] = one_of(choices, body[field])


def fix_precondition(case):
    """Replaces 0, which the generator sometimes sends although it does not match the pattern of If-Match."""
    if case.headers and case.headers.get("If-Match") == "0":
        case.headers["If-Match"] = "*"


def patch_definition(case):
    """Keeps only independent fields, because the generator would name only some of the fields that belong together."""
    fix_precondition(case)
    begin(case)
    choose_texts(case.body)
    stored = ask("GET", case) or {}
    is_counting = "increment" in stored
    for field in [*RANGE, *FIXED, "maxLength", "dateOrder", *([] if is_counting else COUNTING)]:
        case.body.pop(field, None)
    case.body.update({} if "timeZone" in stored else {"timeZone": "UTC"})


def begin(case):
    """Creates the sequence, or revives it unchanged if it is retired."""
    ask("PUT", case, json=ask("GET", case) or {}, **{"If-None-Match": "*"})


def leave_templates(case):
    """Changes the scope of a template, which has no numbers."""
    if case.path_parameters["scope"] == TEMPLATES:
        case.path_parameters["scope"] = "shop"


def next_numbers(case):
    """Sends a key only if the guarantee requires or allows one."""
    leave_templates(case)
    definition = ask("GET", case) or ask("GET", case, scope=TEMPLATES)
    query = case.query or {}
    if "key" in query:
        # The header and the parameter must not differ.
        case.headers.pop("Idempotency-Key", None)
    if definition and (definition["guarantee"] in ("cached", "snowflake") or definition["cycle"]):
        case.headers.pop("Idempotency-Key", None)
        query.pop("key", None)
        if definition["guarantee"] == "snowflake" and "count" in query:
            query["count"] = (int(query["count"]) - 1) % 256 + 1
    elif definition and definition["guarantee"] == "gapless" and "key" not in query:
        case.headers.setdefault("Idempotency-Key", "order-1")
    if "Idempotency-Key" not in case.headers and "key" not in query:
        query.pop("reserve", None)


def known_numbers(case, key="known"):
    """Allocates numbers. A known key gets its numbers again even if the range is used up."""
    begin(case)
    return ask("POST", case, "/next", **{"Idempotency-Key": key}) or ask("POST", case, "/next")


def advance(case):
    leave_templates(case)
    known_numbers(case)


def accept_gap(case):
    """Chooses a gap between the two numbers of an import, which the first case starts and waits for."""
    case.path_parameters.update(scope="shop", name="imported")
    gap = [2, 99]
    if not ask("GET", case):
        ask("PUT", case, json={}, **{"If-None-Match": "*"})
        rows = [{"key": f"old-{number}", "number": number} for number in [gap[0] - 1, gap[1] + 1]]
        ask("POST", case, "/imports", json={"rows": rows}, **{"Idempotency-Key": "old"})
        for _ in range(300):
            if (ask("GET", case, "/check") or {}).get("allocated") == len(rows):
                break
            time.sleep(0.1)
    case.body["first"], case.body["last"] = sorted(gap[0] + int(case.body[end]) % (gap[1] - gap[0] + 1) for end in ["first", "last"])


def change_status(case):
    """Allocates a new key, which has no status yet."""
    leave_templates(case)
    numbers = known_numbers(case, key=str(uuid.uuid4()))
    if numbers and "key" in numbers:
        case.body["key"] = numbers["key"]


def parse_text(case):
    """Parses a real text of the sequence in three of four cases. The text belongs to a new number, because older ones may have none."""
    leave_templates(case)
    numbers = known_numbers(case, key=str(uuid.uuid4()))
    if numbers and len(case.body["text"]) % 4:
        case.body["text"] = numbers["texts"][0] if "texts" in numbers else str(numbers["first"])


def read_ledger(case):
    begin_with_the_first_page(case)
    if "key" in case.query:
        case.query = {"key": case.query["key"]}
    elif "text" in case.query:
        leave_templates(case)
        case.query = {"text": case.query["text"]}
    for first, last in [("from", "to"), ("dateFrom", "dateTo")]:
        if first in case.query and last in case.query:
            case.query[first], case.query[last] = sorted([case.query[first], case.query[last]])


def check_ledger(case):
    """Removes the parameters that a range of dates excludes: a range of numbers and a period."""
    read_ledger(case)
    if "dateFrom" in case.query or "dateTo" in case.query:
        for name in ["from", "to", "date"]:
            case.query.pop(name, None)


def close_dates(case):
    """Puts the dates in order, and leaves templates, which have no numbers."""
    leave_templates(case)
    case.body.update(zip(["dateFrom", "dateTo"], sorted([case.body["dateFrom"], case.body["dateTo"]])))


def leave_base64(case):
    """Removes the header that declares the body as base64, because the rules write the body as text."""
    for name in [name for name in case.headers if name.lower() == "content-transfer-encoding"]:
        del case.headers[name]


def upload_batch(case):
    """Writes the list in its media type. Only CSV names columns, and scope and name repeat the path."""
    leave_templates(case)
    leave_base64(case)
    columns = {name: value for name, value in zip(["keyColumn", "dateColumn"], ["order", "day"]) if name in case.query}
    case.query = columns if case.media_type == "text/csv" else {}
    keys = [f"order-{i}" for i in range(len(case.body) % 7 + 1)]
    if case.media_type == "text/csv":
        case.body = "order,day\r\n" + "".join(f"{key},2026-11-21\r\n" for key in keys)
    elif case.media_type == "text/plain":
        case.body = "\n".join(keys)
    else:
        case.body.update({field: case.path_parameters[field] for field in ["scope", "name"] if field in case.body})


def import_numbers(case):
    """Writes the rows in their media type. Each has a number or a text, and a reason only if it is void."""
    leave_templates(case)
    leave_base64(case)
    begin(case)
    case.query = {"separator": case.query["separator"]} if case.media_type == "text/csv" and "separator" in case.query else {}
    if case.media_type == "text/csv":
        separator = {"comma": ",", "semicolon": ";", "tab": "\t"}.get(case.query.get("separator"), case.query.get("separator", ";"))
        rows = [["key", "number"], *([f"old-{i}", str(i)] for i in range(len(case.body) % 7 + 1))]
        case.body = "".join(separator.join(row) + "\r\n" for row in rows)
        return
    for row in case.body["rows"]:
        if not row.get("text") or row.get("number") is not None:
            row.pop("text", None)
            row["number"] = row.get("number") or 0
        if row.get("status") == "void":
            row["reason"] = row.get("reason") or "misprint"
        else:
            row.pop("reason", None)


def poisoned(case):
    """Adds a message to the poison queue and uses its id. A request with a date gets a message without one, and a date up to today."""
    if isinstance(case.body, dict) and case.body.get("date"):
        case.body["date"] = min(case.body["date"], DATES[1])
    is_dated = isinstance(case.body, dict) and "date" not in case.body
    message = {"scope": "shop", "name": "poison", "keys": ["order-1"], **({"date": DATES[1]} if is_dated else {})}
    body = f"<QueueMessage><MessageText>{json.dumps(message)}</MessageText></QueueMessage>"
    sent = requests.post(os.environ["NUMERA_POISON"], data=body, timeout=10)
    case.path_parameters["id"] = re.search("<MessageId>(.*?)</MessageId>", sent.text)[1]


def begin_with_the_first_page(case):
    """Starts at the first page, because only a previous page knows the continuation."""
    case.query.pop("continuation", None)
    accept_csv(case)


def accept_csv(case):
    """Requests CSV where the query chooses its form, with a notation of dates."""
    if any(name in case.query for name in ["separator", "bom", "dateFormat", "for"]):
        case.headers = {**(case.headers or {}), "Accept": "text/csv"}
    if "dateFormat" in case.query:
        case.query["dateFormat"] = ["dd.MM.yyyy", "M/d/yyyy", "yyyy-MM-dd"][len(case.query["dateFormat"]) % 3]
    case.query.pop("century", None)


RULES = {"PutDefinition": put_definition, "PatchDefinition": patch_definition, "Preview": patch_definition, "Retire": fix_precondition, "Allocate": next_numbers,
         "ChangeStatus": change_status, "Advance": advance, "AcceptGap": accept_gap, "ParseText": parse_text, "ReadLedger": read_ledger, "CheckLedger": check_ledger,
         "CloseDates": close_dates, "ListClosings": begin_with_the_first_page,
         "ListPeriods": begin_with_the_first_page, "ListChanges": begin_with_the_first_page,
         "ListSequences": begin_with_the_first_page, "UploadBatch": upload_batch, "UploadCsv": upload_batch, "ReadBatch": begin_with_the_first_page,
         "ListBatches": begin_with_the_first_page, "ListImports": begin_with_the_first_page, "Find": begin_with_the_first_page,
         "ListAttention": begin_with_the_first_page,
         "ImportNumbers": import_numbers, "InspectImport": import_numbers, "RequeuePoison": poisoned, "DropPoison": poisoned, "ReadImport": begin_with_the_first_page}
