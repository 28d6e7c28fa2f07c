"""Allocates numbers with Numera and handles failures on the way. Needs only Python 3.9 or later.

A call is repeated with the same key in three cases: its answer is lost, a proxy on the way answers 408, 429 or 5xx, or Numera itself
answers with a Retry-After. No other failure is retried."""

from __future__ import annotations

import datetime
import email.utils
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Dict, Iterable, Iterator, NamedTuple, Optional, Tuple, TypedDict, Union

__all__ = ["Allocation", "ImportedRow", "LedgerEntry", "NumberedKey", "Numera", "NumeraProblem", "NumeraUnavailable"]

_RETRIED = {408, 429, 500, 502, 503, 504}
_NUMERA = "urn:problem-type:numera:"
_FIRST_WAIT_SECONDS = 1
_LONGEST_WAIT_SECONDS = 30
_LONGEST_RETRY_AFTER_SECONDS = 60
_PAGE = 1000
_PIECE_BYTES = 65_536
# Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a header
# would lose.
_PLAIN_KEY = re.compile(r"[!#-~]([ !#-~]*[!#-~])?")

_Date = Union[str, datetime.date]
_Query = Dict[str, Any]
_Headers = Dict[str, str]
_Upload = Tuple[_Query, _Headers, bytes]


class Allocation(TypedDict, total=False):
    """The numbers of one request. A field that does not apply is missing."""

    scope: str
    name: str
    key: str
    first: int
    last: int
    count: int
    increment: int
    texts: list[str]
    date: str
    period: str
    replayed: bool
    status: str
    reason: str
    statusAt: str
    created: bool


class NumberedKey(Allocation, total=False):
    """A key of a list with its numbers, or with the problem that explains why it got none."""

    problem: dict[str, Any]


class ImportedRow(NumberedKey, total=False):
    """A row of an import: ``outcome`` is ``imported``, ``already-there`` or ``refused`` with a ``problem``; ``would-import`` in a dry run."""

    outcome: str
    number: int
    text: str


class LedgerEntry(TypedDict, total=False):
    """An entry of the ledger: ``kind`` is ``allocation``, ``import`` or ``advance``."""

    kind: str
    key: str
    first: int
    last: int
    count: int
    texts: list[str]
    period: str
    date: str
    allocatedAt: str
    status: str
    reason: str
    statusAt: str


class NumeraProblem(Exception):
    """A refusal: the same request would not succeed now."""

    def __init__(self, status: int, fields: dict[str, Any], retry_after_seconds: Optional[float] = None):
        super().__init__(fields.get("detail") or fields.get("title") or f"The server answered {status}.")
        self.status = status
        self.type: Optional[str] = fields.get("type")
        #: The last part of Numera's ``type``, such as ``exhausted``; None in another server's answer.
        self.kind = self.type[len(_NUMERA) :] if self.type and self.type.startswith(_NUMERA) else None
        self.title: Optional[str] = fields.get("title")
        self.detail: Optional[str] = fields.get("detail")
        self.retry_after_seconds = retry_after_seconds
        #: All fields of the answer.
        self.fields = fields


class NumeraUnavailable(Exception):
    """No usable answer arrived before the deadline, so it is unknown whether a number was allocated. The same call returns it later."""

    def __init__(self, message: str, attempts: Optional[int] = None, status: Optional[int] = None):
        super().__init__(message)
        self.attempts = attempts
        self.status = status


class _Answer(NamedTuple):
    status: int
    body: Any
    is_numera: bool
    retry_after_seconds: Optional[float]

    @property
    def is_ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_retried(self) -> bool:
        if self.is_numera:
            return self.status == 503 and self.retry_after_seconds is not None
        return self.status in _RETRIED

    def problem(self) -> NumeraProblem:
        if self.status == 401:
            self.body["detail"] = "The function key or token is missing, or is not accepted."
        return NumeraProblem(self.status, self.body, self.retry_after_seconds)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, because a redirect would turn POST into GET."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Numera:
    """A client of Numera. Repeats calls when a retry can help, always with the same key. A sequence is named ``scope/name``.

    ``token`` returns the bearer token for a gateway in front of the app. It is called before each request. ``rights``
    are the only rights of each call, such as ``Numera.Allocate:Shop1``, for a backend whose tenants share a key. A call is retried for
    ``try_for_seconds`` in total; the result of a list may take ``wait_for_seconds``. Several threads may use one object."""

    def __init__(
        self,
        url: str,
        *,
        function_key: Optional[str] = None,
        token: Optional[Callable[[], str]] = None,
        rights: Optional[str] = None,
        try_for_seconds: float = 120,
        answer_within_seconds: float = 30,
        wait_for_seconds: float = 900,
        clock: Any = time,
    ):
        address = urllib.parse.urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"The url is such as 'https://APP.azurewebsites.net/api', not {url!r}.")
        self._url = url.rstrip("/")
        self._function_key = function_key
        self._token = token
        self._rights = rights
        self._try_for_seconds = try_for_seconds
        self._answer_within_seconds = answer_within_seconds
        self._wait_for_seconds = wait_for_seconds
        self._clock = clock
        self._opener = urllib.request.build_opener(_NoRedirect)

    def next(
        self,
        sequence: str,
        *,
        key: Optional[str] = None,
        count: Optional[int] = None,
        date: Optional[_Date] = None,
        reserve: Optional[bool] = None,
    ) -> Allocation:
        """Returns the next numbers. The same key always gets the same numbers. Without a key, a lost answer skips numbers."""
        headers = {"Idempotency-Key": key} if key is not None and _PLAIN_KEY.fullmatch(key) else {}
        query = {"key": None if headers else key, "count": count, "date": date, "reserve": reserve}
        allocation: Allocation = self._send("POST", _path(sequence, "next"), query, headers, b"").body
        return allocation

    def reserve(self, sequence: str, key: str, *, count: Optional[int] = None, date: Optional[_Date] = None) -> Allocation:
        """Reserves numbers until the key is confirmed or voided."""
        return self.next(sequence, key=key, count=count, date=date, reserve=True)

    def confirm(self, sequence: str, key: str, *, actor: Optional[str] = None) -> Allocation:
        """Issues the reserved numbers of a key."""
        return self._set_status(sequence, {"key": key, "status": "issued"}, actor)

    def void_numbers(self, sequence: str, key: str, reason: str, *, actor: Optional[str] = None) -> Allocation:
        """Voids the numbers of a key permanently. Also succeeds if they are void already, for whatever reason."""
        try:
            return self._set_status(sequence, {"key": key, "status": "void", "reason": reason}, actor)
        except NumeraProblem as e:
            allocation: Optional[Allocation] = e.fields.get("allocation")
            if e.kind == "status-final" and allocation and allocation.get("status") == "void":
                return allocation
            raise

    def batch(
        self,
        sequence: str,
        id: str,
        rows: Union[Iterable[str], str],
        *,
        date: Optional[_Date] = None,
        reserve: Optional[bool] = None,
        key_column: Optional[str] = None,
        date_column: Optional[str] = None,
        separator: Optional[str] = None,
    ) -> Iterator[NumberedKey]:
        """Numbers a list (an iterable of keys or the text of a CSV file) and yields each key with its numbers or its problem.

        The list is sent when the first key is requested. The id names the list: the same list under the same id is uploaded only once.
        For CSV the id must be ASCII, and ``date_column`` replaces ``date``."""
        if isinstance(rows, str):
            query = {"date": date, "reserve": reserve, "keyColumn": key_column, "dateColumn": date_column, "separator": separator}
            upload = query, {"Content-Type": "text/csv", "Idempotency-Key": id}, rows.encode()
        else:
            upload = {}, *_json({"id": id, "keys": list(rows), "date": None if date is None else str(date), "reserve": reserve})
        return self._rows_of(sequence, "batches", upload, {}, "allocations")

    def import_numbers(
        self,
        sequence: str,
        id: str,
        rows: Union[Iterable[dict[str, Any]], str],
        *,
        actor: Optional[str] = None,
        only_refused: bool = False,
        dry_run: bool = False,
        key_column: Optional[str] = None,
        number_column: Optional[str] = None,
        text_column: Optional[str] = None,
        date_column: Optional[str] = None,
        status_column: Optional[str] = None,
        reason_column: Optional[str] = None,
        ignore: Optional[str] = None,
        separator: Optional[str] = None,
    ) -> Iterator[ImportedRow]:
        """Imports numbers of another system and yields the result of each row; a dry run only reports what an import would do.

        The rows are the text of a CSV file, or dictionaries with ``key``, ``number`` or ``text``, ``date``, ``status`` and ``reason``.
        ``ignore`` names columns of the file to ignore, separated by commas."""
        query: _Query = {"dryRun": True if dry_run else None}
        if isinstance(rows, str):
            query.update({"keyColumn": key_column, "numberColumn": number_column, "textColumn": text_column, "dateColumn": date_column})
            query.update({"statusColumn": status_column, "reasonColumn": reason_column, "ignore": ignore, "separator": separator})
            headers, body = {"Content-Type": "text/csv"}, rows.encode()
        else:
            headers, body = _json({"rows": list(rows)})
        headers = {**headers, "Idempotency-Key": id, **_actor(actor)}
        return self._rows_of(sequence, "imports", (query, headers, body), {"outcome": "refused" if only_refused else None}, "rows")

    def ledger(
        self,
        sequence: str,
        *,
        from_: Optional[int] = None,
        to: Optional[int] = None,
        text: Optional[str] = None,
        key: Optional[str] = None,
        date: Optional[_Date] = None,
        date_from: Optional[_Date] = None,
        date_to: Optional[_Date] = None,
        status: Optional[str] = None,
        limit: int = _PAGE,
    ) -> Iterator[LedgerEntry]:
        """Yields the entries of the ledger that the parameters select; without parameters, all entries of today's period."""
        query = {"limit": limit, "from": from_, "to": to, "text": text, "key": key, "date": date}
        query.update({"dateFrom": date_from, "dateTo": date_to, "status": status})
        return self._pages(_path(sequence, "ledger"), query, "entries")

    def _set_status(self, sequence: str, content: dict[str, str], actor: Optional[str]) -> Allocation:
        headers, body = _json(content)
        allocation: Allocation = self._send("POST", _path(sequence, "status"), {}, {**headers, **_actor(actor)}, body).body
        return allocation

    def _rows_of(self, sequence: str, call: str, upload: _Upload, query: _Query, field: str) -> Iterator[Any]:
        sent = self._send("POST", _path(sequence, call), *upload).body
        location = _path(sequence, f"{call}/{urllib.parse.quote(sent['id'], safe='')}")
        query = {"limit": _PAGE, **query}
        first = self._finished(location, query, 1 if sent["status"] == "pending" else 0)
        yield from self._pages(location, query, field, first)

    def _finished(self, location: str, query: _Query, wait_seconds: float) -> Any:
        deadline = self._clock.monotonic() + self._wait_for_seconds
        while self._clock.monotonic() + wait_seconds <= deadline:
            self._clock.sleep(wait_seconds)
            answer = self._send("GET", location, query)
            if answer.status != 202:
                return answer.body
            retry_after = answer.retry_after_seconds
            wait_seconds = 1 if retry_after is None else min(retry_after, _LONGEST_RETRY_AFTER_SECONDS)
        raise NumeraUnavailable(f"{location} is not done after {self._wait_for_seconds} s. Send the same list again later.")

    def _pages(self, location: str, query: _Query, field: str, page: Any = None) -> Iterator[Any]:
        page = page or self._send("GET", location, query).body
        yield from page[field]
        while "continuation" in page:
            page = self._send("GET", location, {**query, "continuation": page["continuation"]}).body
            yield from page[field]

    def _send(
        self, method: str, location: str, query: _Query, headers: Optional[_Headers] = None, body: Optional[bytes] = None
    ) -> _Answer:
        deadline = self._clock.monotonic() + self._try_for_seconds
        attempts = 1
        while True:
            request = urllib.request.Request(self._url + location + _search(query), body, self._headers(headers), method=method)
            answer, cause = None, None
            try:
                answer = self._answer(request, min(self._answer_within_seconds, deadline - self._clock.monotonic()))
                if answer.is_ok:
                    return answer
            except (OSError, http.client.HTTPException, json.JSONDecodeError, UnicodeDecodeError) as e:
                # No complete answer arrived. The result is unknown; a retry with the same key is safe.
                cause = e
            if answer and not answer.is_retried:
                raise answer.problem()
            wait_seconds = _wait(attempts, answer.retry_after_seconds if answer else None)
            is_time_left = self._clock.monotonic() + wait_seconds < deadline
            if is_time_left:
                self._clock.sleep(wait_seconds)
            # The wait may have taken longer, for example if the machine was suspended.
            if not is_time_left or self._clock.monotonic() >= deadline:
                if answer and answer.is_numera:
                    raise answer.problem()
                last = f"The last answer was {answer.status}." if answer else f"The last failure: {cause!r}"
                raise NumeraUnavailable(
                    f"{method} {location} got no usable answer in {attempts} attempts. Send it again later, with the same key. {last}",
                    attempts,
                    answer.status if answer else None,
                ) from cause
            attempts += 1

    def _answer(self, request: urllib.request.Request, timeout: float) -> _Answer:
        deadline = self._clock.monotonic() + timeout
        try:
            response = self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as e:
            response = e
        with response:
            content = self._content(response, deadline)
            is_ok = 200 <= response.status < 300
            is_problem = response.headers.get_content_type() == "application/problem+json"
            if is_ok or is_problem:
                body = json.loads(content)
                if not isinstance(body, dict):
                    raise json.JSONDecodeError("The answer is no JSON object", str(body), 0)
            else:
                body = {"detail": content.decode(errors="replace")[:500] or None}
            is_numera = is_problem and str(body.get("type")).startswith(_NUMERA)
            return _Answer(response.status, body, is_numera, _retry_after(response.headers.get("Retry-After")))

    def _content(self, response: Any, deadline: float) -> bytes:
        """Reads the body in pieces and checks the deadline after each, because the connection's timeout covers only one piece."""
        content = bytearray()
        while piece := response.read1(_PIECE_BYTES):
            content += piece
            if self._clock.monotonic() > deadline:
                raise TimeoutError(f"The answer has not ended, after {len(content)} bytes.")
        if response.length:
            raise http.client.IncompleteRead(bytes(content), response.length)
        return bytes(content)

    def _headers(self, headers: Optional[_Headers]) -> _Headers:
        credentials = {"x-functions-key": self._function_key} if self._function_key else {}
        if self._rights is not None:
            credentials["Numera-Rights"] = self._rights
        if self._token:
            credentials["Authorization"] = f"Bearer {self._token()}"
        return {"Accept": "application/json", **credentials, **(headers or {})}


def _retry_after(header: Optional[str]) -> Optional[float]:
    """Returns the seconds that the header states; it may contain a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return int(header)
    try:
        return max(email.utils.parsedate_to_datetime(header).timestamp() - time.time(), 0)
    except (TypeError, ValueError):
        return None


def _wait(attempts: int, retry_after_seconds: Optional[float]) -> float:
    """Returns the pause before the next attempt. It has a random part, so that many callers do not retry at the same time."""
    if retry_after_seconds is not None:
        return min(retry_after_seconds, _LONGEST_RETRY_AFTER_SECONDS) + random.uniform(0, 0.5)
    longest: float = min(_FIRST_WAIT_SECONDS * 2 ** (attempts - 1), _LONGEST_WAIT_SECONDS)
    return longest * random.uniform(0.5, 1)


def _path(sequence: str, call: str) -> str:
    parts = sequence.split("/")
    if len(parts) != 2 or not all(parts):
        raise ValueError(f"A sequence is named 'scope/name', such as 'App1/invoice', not {sequence!r}.")
    return "/sequences/" + "/".join(urllib.parse.quote(part, safe="") for part in parts) + "/" + call


def _search(query: _Query) -> str:
    stated = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
    return "?" + urllib.parse.urlencode(stated, quote_via=urllib.parse.quote, safe="") if stated else ""


def _json(content: dict[str, Any]) -> tuple[_Headers, bytes]:
    stated = {name: value for name, value in content.items() if value is not None}
    return {"Content-Type": "application/json"}, json.dumps(stated).encode()


def _actor(actor: Optional[str]) -> _Headers:
    return {} if actor is None else {"Numera-Actor": urllib.parse.quote(actor, safe="")}
