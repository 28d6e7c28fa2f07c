"""Allocates numbers with Numera and handles failures on the way. Needs only Python 3.9 or later.

A call is repeated with the same key in three cases: its answer is lost, a proxy on the way answers 408, 429 or 5xx, or Numera itself
answers with a Retry-After. No other failure is retried. What no retry can correct fails before anything is sent: ``TypeError`` or
``ValueError``. The logger ``numera_client`` logs each retry, unless the client has another ``on_retry``."""

from __future__ import annotations

import base64
import collections
import datetime
import email.utils
import functools
import http.client
import io
import json
import logging
import os
import random
import re
import selectors
import ssl
import threading
import time
import unicodedata
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Iterable, Iterator, Mapping, NamedTuple, Optional, Tuple, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Allocation",
    "CallOptions",
    "ChangeOptions",
    "CheckFilter",
    "FindOptions",
    "ImportOptions",
    "ImportedRow",
    "LedgerEntry",
    "LedgerFilter",
    "ListOptions",
    "NextOptions",
    "NumberedKey",
    "Numera",
    "NumeraDifference",
    "NumeraProblem",
    "NumeraUnavailable",
    "Retry",
    "StateOptions",
    "StatusChange",
]

_VERSION = "0.3.0.dev0"
_LOG = logging.getLogger("numera_client")
_RETRIED = {408, 429, 500, 502, 503, 504}
_NUMERA = "urn:problem-type:numera:"
_FIRST_WAIT_SECONDS = 1
_LONGEST_WAIT_SECONDS = 30
# Enough for the longest wait; a power of two with many attempts would be too large for a float.
_MOST_DOUBLINGS = 10
_LONGEST_RETRY_AFTER_SECONDS = 60
_LAST_ATTEMPT_SECONDS = 1
_PAGE = 1000
_SAME_CALL = "Make the same call later."
_IDLE_CONNECTIONS = 16
# Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a header
# would lose.
_PLAIN = re.compile(r"[!#-~]([ !#-~]*[!#-~])?")
_HEADER = re.compile(r"[!-~]([ -~]*[!-~])?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SECONDS = re.compile(r"[0-9]+")
_HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT")
_FIRST_OF_MONTH = re.compile(r"[0-9]{2}-01")
_ROW = ("key", "number", "text", "date", "status", "reason")

_Date = Union[str, datetime.date]
_Query = Dict[str, Any]
_Headers = Dict[str, str]
_Upload = Tuple[_Query, _Headers, bytes]
# The field by which an answer of Numera is told from an object of another server, and its type.
_Needed = Tuple[str, type]
_NUMBERS: _Needed = ("first", int)
_ID: _Needed = ("id", str)
_DEFINITION: _Needed = ("guarantee", str)


class CallOptions(TypedDict, total=False):
    """The options of each call. None means the default.

    The call is retried for ``try_for_seconds`` in total; of a list, each of its requests. Once another thread sets the event ``cancel``,
    the call ends with ``NumeraUnavailable`` before its next request or pause."""

    try_for_seconds: Optional[float]
    cancel: Optional[threading.Event]


class ChangeOptions(CallOptions, total=False):
    """The person or program that makes a change."""

    actor: Optional[str]


class NextOptions(ChangeOptions, total=False):
    """How many numbers, all or none, and the date of the document: today in the sequence's time zone by default."""

    count: Optional[int]
    date: Optional[_Date]


class StateOptions(CallOptions, total=False):
    """A date in the period: today by default."""

    date: Optional[_Date]


class FindOptions(CallOptions, total=False):
    """The only scope to search."""

    scope: Optional[str]


class CheckFilter(CallOptions, total=False):
    """Selects the numbers to check: all by default."""

    from_: Optional[int]
    to: Optional[int]
    date: Optional[_Date]
    date_from: Optional[_Date]
    date_to: Optional[_Date]
    reserved_before: Optional[str]


class LedgerFilter(CallOptions, total=False):
    """Selects entries of the ledger. ``actor`` is a part of the actor's name, ``reason`` of the reason of void and skipped numbers.

    ``order="desc"`` yields the newest entries first."""

    from_: Optional[int]
    to: Optional[int]
    text: Optional[str]
    key: Optional[str]
    key_prefix: Optional[str]
    date: Optional[_Date]
    date_from: Optional[_Date]
    date_to: Optional[_Date]
    status: Optional[str]
    actor: Optional[str]
    reason: Optional[str]
    order: Optional[str]
    limit: Optional[int]


class ListOptions(ChangeOptions, total=False):
    """The date of the documents, whether the numbers are reserved, and the time that the result may take."""

    date: Optional[_Date]
    reserve: Optional[bool]
    wait_for_seconds: Optional[float]


class ImportOptions(ChangeOptions, total=False):
    """A dry run only reports what an import would do. The result may take ``wait_for_seconds``."""

    only_refused: Optional[bool]
    dry_run: Optional[bool]
    wait_for_seconds: Optional[float]


class Allocation(TypedDict, total=False):
    """The numbers of one request. A field that does not apply is missing.

    ``attempts`` is how often this call was sent. ``replayed`` also says so after a lost answer of this call itself: ``attempts`` is then
    more than 1."""

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
    attempts: int
    actor: str
    actorId: str
    status: str
    reason: str
    statusAt: str
    statusActor: str
    statusActorId: str
    created: bool


class NumberedKey(Allocation, total=False):
    """A key of a list with its numbers, or with the problem that explains why it got none."""

    problem: dict[str, Any]


class ImportedRow(NumberedKey, total=False):
    """A row of an import: ``outcome`` is ``imported``, ``already-there`` or ``refused`` with a ``problem``; ``would-import`` in a dry run."""

    outcome: str
    number: int
    text: str


class StatusChange(TypedDict, total=False):
    """A status that was set."""

    status: str
    at: str
    reason: str
    actor: str
    actorId: str


class LedgerEntry(TypedDict, total=False):
    """An entry of the ledger: ``kind`` is ``allocation``, ``import`` or ``advance``. ``history`` is there with ``key=``."""

    kind: str
    key: str
    first: int
    last: int
    count: int
    texts: list[str]
    period: str
    date: str
    allocatedAt: str
    actor: str
    actorId: str
    status: str
    reason: str
    statusAt: str
    statusActor: str
    statusActorId: str
    history: list[StatusChange]


class NumeraProblem(Exception):
    """A refusal: the same request would not succeed now."""

    def __init__(self, status: int, fields: dict[str, Any], retry_after_seconds: Optional[float] = None):
        # Another server's fields may have any type.
        texts = {name: value for name, value in fields.items() if isinstance(value, str)}
        super().__init__(texts.get("detail") or texts.get("title") or f"The server answered {status}.")
        self.status = status
        self.type: Optional[str] = texts.get("type")
        #: The last part of Numera's ``type``, such as ``exhausted``; None in another server's answer.
        self.kind = self.type[len(_NUMERA) :] if self.type and self.type.startswith(_NUMERA) else None
        self.title: Optional[str] = texts.get("title")
        self.detail: Optional[str] = texts.get("detail")
        self.retry_after_seconds = retry_after_seconds
        #: All fields of the answer.
        self.fields = fields

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is copied from its message alone otherwise, for example on the way out of a process pool.
        return type(self), (self.status, self.fields, self.retry_after_seconds)


class NumeraUnavailable(Exception):
    """No usable answer arrived before the deadline, so it is unknown whether a number was allocated. With a key, the same call returns it later."""

    def __init__(self, message: str, attempts: Optional[int] = None, status: Optional[int] = None):
        super().__init__(message)
        self.attempts = attempts
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.attempts, self.status)


class NumeraDifference(Exception):
    """A sequence has another definition than the program declares. Nothing was changed.

    ``differences`` has the stored and the wanted value of each field."""

    def __init__(self, sequence: str, differences: dict[str, tuple[Any, Any]]):
        listed = "; ".join(f"{field} is {stored!r}, not {wanted!r}" for field, (stored, wanted) in differences.items())
        super().__init__(f"{sequence} is defined otherwise: {listed}. Nothing was changed.")
        self.sequence = sequence
        self.differences = differences

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.sequence, self.differences)


class Retry(NamedTuple):
    """An attempt that is followed by another one: ``attempts`` requests were sent so far. ``status`` is of the answer, ``cause`` why none arrived."""

    method: str
    location: str
    attempts: int
    wait_seconds: float
    status: Optional[int]
    cause: Optional[Exception]


def _log(retry: Retry) -> None:
    failure = repr(retry.cause) if retry.status is None else retry.status
    _LOG.info("%s %s: %s. Attempt %d follows in %.1f s.", retry.method, retry.location, failure, retry.attempts + 1, retry.wait_seconds)


class _Answer(NamedTuple):
    status: int
    body: Any
    is_numera: bool
    retry_after_seconds: Optional[float]
    attempts: int = 1

    @property
    def is_ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_retried(self) -> bool:
        if self.is_numera:
            return self.status == 503 and self.retry_after_seconds is not None
        return self.status in _RETRIED

    def problem(self, url: str) -> NumeraProblem:
        if self.status == 401:
            self.body["detail"] = "The function key or token is missing, or is not accepted."
        elif self.status == 404 and not self.is_numera:
            self.body["detail"] = f"There is no Numera at {url}. The address is such as 'https://APP.azurewebsites.net/api'."
        return NumeraProblem(self.status, self.body, self.retry_after_seconds)


class _InTime(io.RawIOBase):
    """Reads from a socket until a deadline. The timeout of the socket itself covers only one piece."""

    def __init__(self, sock: Any, deadline: float):
        self._sock, self._pieces, self._deadline = sock, sock.makefile("rb", buffering=0), deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        left_seconds = self._deadline - time.monotonic()
        if left_seconds <= 0:
            raise TimeoutError("The answer has not ended in time.")
        self._sock.settimeout(left_seconds)
        return self._pieces.readinto(buffer)

    def close(self) -> None:
        self._pieces.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """Reads past interim answers such as 103. ``http.client`` does so with 100 only, and takes another one for the answer."""

    def __init__(self, deadline: float, sock: Any, *args: Any, **named: Any):
        super().__init__(sock, *args, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_InTime(sock, deadline))

    def begin(self) -> None:
        super().begin()
        while 100 <= self.status < 200 and self.status != http.HTTPStatus.SWITCHING_PROTOCOLS:
            self.headers = None  # type: ignore[assignment]
            super().begin()


class _Connections:
    """Sends requests to one server and keeps idle connections. Uses the proxies of the environment. Thread-safe."""

    def __init__(self, url: str, context: Optional[ssl.SSLContext]):
        self._address = urllib.parse.urlsplit(url)
        self._context = context
        self._idle: Deque[http.client.HTTPConnection] = collections.deque(maxlen=_IDLE_CONNECTIONS)
        self._process = os.getpid()
        bypassed = urllib.request.proxy_bypass(self._address.netloc)
        self._proxy = None if bypassed else urllib.request.getproxies().get(self._address.scheme)

    def send(
        self, method: str, location: str, body: Optional[bytes], headers: _Headers, timeout: float
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """Returns the head of the answer and its connection. After reading the body, call ``keep``."""
        connection = self._connection(timeout)
        connection.response_class = functools.partial(_Response, time.monotonic() + timeout)  # type: ignore[assignment]
        target = self._address.path.rstrip("/") + location
        if self._proxy and self._address.scheme == "http":
            target = f"http://{self._address.netloc}{target}"
            headers = {**headers, **_proxy_credentials(urllib.parse.urlsplit(self._proxy))}
        try:
            connection.request(method, target, body, headers)
            return connection, connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def keep(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        """Keeps the connection of an answer that was read to its end; closes it otherwise."""
        # A connection with another protocol carries no second request.
        is_whole = response.status >= 200 and (response.isclosed() or response.length == 0)
        response.close()
        if is_whole and connection.sock:
            self._idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        if self._process != os.getpid():
            # After a fork two processes would read each other's answers.
            self._idle.clear()
            self._process = os.getpid()
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # Another thread took it.
                break
            if _is_quiet(connection.sock):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()
        return self._opened(timeout)

    def _opened(self, timeout: float) -> http.client.HTTPConnection:
        server = urllib.parse.urlsplit(self._proxy) if self._proxy else self._address
        if self._address.scheme == "http":
            return http.client.HTTPConnection(server.hostname or "", server.port, timeout=timeout)
        connection = http.client.HTTPSConnection(server.hostname or "", server.port, timeout=timeout, context=self._context)
        if self._proxy:
            connection.set_tunnel(self._address.hostname or "", self._address.port or 443, _proxy_credentials(server))
        return connection


def _is_quiet(sock: Any) -> bool:
    """Whether the server has neither closed an idle connection nor sent anything."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(sock, selectors.EVENT_READ)
            return not selector.select(0)
    except (OSError, ValueError):
        return False


def _proxy_credentials(proxy: urllib.parse.SplitResult) -> _Headers:
    if proxy.username is None:
        return {}
    user = f"{urllib.parse.unquote(proxy.username)}:{urllib.parse.unquote(proxy.password or '')}"
    return {"Proxy-Authorization": "Basic " + base64.b64encode(user.encode()).decode()}


class _Limits(NamedTuple):
    """The limits of one call: None means the client's own."""

    try_for_seconds: Optional[float] = None
    cancel: Optional[threading.Event] = None
    wait_for_seconds: Optional[float] = None


class _Options(NamedTuple):
    """The checked options of one call: what the query or the body contains, the header of the actor, and the limits."""

    query: _Query
    actor: _Headers
    limits: _Limits


class Numera:
    """A client of Numera. Repeats calls when a retry can help, always with the same key. A sequence is named ``scope/name``.

    ``token`` returns the bearer token for a gateway in front of the app. It is called before each request. ``rights``
    are the only rights of each call, such as ``Numera.Allocate:Shop1``, for a backend whose tenants share a key. A call is retried for
    ``try_for_seconds`` in total; the result of a list may take ``wait_for_seconds``. ``on_retry`` is called before each pause.

    Calls block. Several threads and forked processes may use one object."""

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
        on_retry: Callable[[Retry], None] = _log,
        ssl_context: Optional[ssl.SSLContext] = None,
        clock: Any = time,
    ):
        address = urllib.parse.urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname or not url.isascii() or re.search(r"[\s?#]", url):
            raise ValueError(f"The url is such as 'https://APP.azurewebsites.net/api', not {url!r}.")
        self._url = url.rstrip("/")
        self._connections = _Connections(url, ssl_context)
        self._function_key = _header("function key", function_key) if function_key else None
        self._token = token
        self._rights = None if rights is None else _header("rights", rights)
        self._try_for_seconds = try_for_seconds
        self._answer_within_seconds = answer_within_seconds
        self._wait_for_seconds = wait_for_seconds
        self._on_retry = on_retry
        self._clock = clock

    def __enter__(self) -> Numera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections. A later call opens new ones."""
        self._connections.close()

    def next(self, sequence: str, key: str, **options: Unpack[NextOptions]) -> Allocation:
        """Returns the next numbers. The same key always gets the same numbers."""
        return self._allocate(sequence, _text("key", key), _checked(NextOptions, options))

    def next_without_key(self, sequence: str, **options: Unpack[NextOptions]) -> Allocation:
        """Returns the next numbers without a key: a lost answer skips numbers, and a repeated call gets other numbers."""
        return self._allocate(sequence, None, _checked(NextOptions, options))

    def reserve(self, sequence: str, key: str, **options: Unpack[NextOptions]) -> Allocation:
        """Reserves numbers until the key is confirmed or voided."""
        return self._allocate(sequence, _text("key", key), _checked(NextOptions, options), {"reserve": True})

    def confirm(self, sequence: str, key: str, **options: Unpack[ChangeOptions]) -> Allocation:
        """Issues the reserved numbers of a key."""
        return self._set_status(sequence, {"key": _text("key", key), "status": "issued"}, _checked(ChangeOptions, options))

    def void_numbers(self, sequence: str, key: str, reason: str, **options: Unpack[ChangeOptions]) -> Allocation:
        """Voids the numbers of a key permanently. Also succeeds if they are void already, for whatever reason."""
        content = {"key": _text("key", key), "status": "void", "reason": _text("reason", reason)}
        try:
            return self._set_status(sequence, content, _checked(ChangeOptions, options))
        except NumeraProblem as e:
            allocation: Optional[Allocation] = e.fields.get("allocation")
            if e.kind == "status-final" and allocation and allocation.get("status") == "void":
                return allocation
            raise

    def define(self, sequence: str, definition: Mapping[str, Any], **options: Unpack[ChangeOptions]) -> dict[str, Any]:
        """Creates the sequence, or returns its definition if each field of the argument has the same value already. Changes no sequence.

        Raises ``NumeraDifference`` if a field has another value."""
        if None in definition.values():
            raise ValueError("A definition has no None: leave out what may have any value.")
        checked, location = _checked(ChangeOptions, options), _path(sequence)
        stored = self._definition(location, checked.limits)
        return _same(sequence, stored, definition) if stored else self._create(sequence, dict(definition), checked)

    def state(self, sequence: str, **options: Unpack[StateOptions]) -> dict[str, Any]:
        """Returns the next number (``next``), and how many are ``allocated`` and ``left``. Allocates nothing."""
        checked = _checked(StateOptions, options)
        state: dict[str, Any] = self._send("GET", _path(sequence, "state"), checked.query, checked.limits, needed=("next", int)).body
        return state

    def check(self, sequence: str, **options: Unpack[CheckFilter]) -> dict[str, Any]:
        """Checks whether each number is accounted for: adds up ``allocated``, ``void``, ``reserved`` and ``gaps`` of all pages."""
        checked = _checked(CheckFilter, options)
        result: dict[str, Any] = {"allocated": 0, "void": 0, "reserved": 0, "gaps": []}
        for page in self._each_page(_path(sequence, "check"), checked.query, "gaps", checked.limits):
            for field in ("allocated", "void", "reserved", "gaps"):
                result[field] += page[field]
            result.setdefault("checkedAt", page["checkedAt"])
        return result

    def parse(self, sequence: str, text: str, **options: Unpack[CallOptions]) -> dict[str, Any]:
        """Returns the ``number`` and the ``period`` of a text."""
        headers, body = _json({"text": _text("text", text)})
        limits = _checked(CallOptions, options).limits
        parsed: dict[str, Any] = self._send("POST", _path(sequence, "parse"), {}, limits, headers, body, needed=("number", int)).body
        return parsed

    def find(self, q: str, **options: Unpack[FindOptions]) -> dict[str, Any]:
        """Finds a key, a text or a number in all sequences: adds up ``entries`` of all pages.

        ``unsearched`` has the sequences that were not searched and may contain a match."""
        checked = _checked(FindOptions, options)
        result: dict[str, Any] = {"entries": [], "unsearched": []}
        for page in self._each_page("/find", {"q": _text("search", q), **checked.query}, "entries", checked.limits):
            for field in result:
                result[field] += page[field]
        return result

    def closings(self, sequence: str, **options: Unpack[CallOptions]) -> Iterator[dict[str, Any]]:
        """Yields the recorded closings."""
        return self._pages(_path(sequence, "closings"), {"limit": _PAGE}, "closings", _checked(CallOptions, options).limits)

    def batch(self, sequence: str, id: str, keys: Iterable[str], **options: Unpack[ListOptions]) -> Iterator[NumberedKey]:
        """Numbers a list of keys and yields each key with its numbers or its problem.

        The list is sent when the first key is requested. The id names the list: the same list under the same id is uploaded only once."""
        checked = _checked(ListOptions, options)
        listed = [_text("key", key) for key in _list(keys)]
        # Stated or not, a default is the same list: the service compares what is sent.
        reserve = checked.query.pop("reserve", False) or None
        headers, body = _json({"id": _text("id", id), "keys": listed, **checked.query, "reserve": reserve})
        upload: _Upload = {}, {**headers, **checked.actor}, body
        return self._rows(_path(sequence, "batches"), upload, {"limit": _PAGE}, "allocations", checked.limits)

    def import_numbers(
        self, sequence: str, id: str, rows: Iterable[Mapping[str, Any]], **options: Unpack[ImportOptions]
    ) -> Iterator[ImportedRow]:
        """Imports numbers of another system and yields the result of each row.

        The rows are dictionaries with ``key``, ``number`` or ``text``, ``date``, ``status`` and ``reason``. The id is ASCII."""
        checked = _checked(ImportOptions, options)
        headers, body = _json({"rows": [_row(row) for row in _list(rows)]})
        if not _PLAIN.fullmatch(_text("id", id)):
            raise ValueError(f"The id of an import is sent in a header, so it is ASCII without quotes, not {id!r}.")
        query = {"limit": _PAGE, "outcome": "refused" if checked.query.pop("onlyRefused", False) else None}
        upload = {"dryRun": checked.query.get("dryRun") or None}, {**headers, "Idempotency-Key": id, **checked.actor}, body
        return self._rows(_path(sequence, "imports"), upload, query, "rows", checked.limits)

    def ledger(self, sequence: str, **options: Unpack[LedgerFilter]) -> Iterator[LedgerEntry]:
        """Yields the entries of the ledger that the parameters select; without parameters, all entries of today's period."""
        checked = _checked(LedgerFilter, options)
        return self._pages(_path(sequence, "ledger"), {"limit": _PAGE, **checked.query}, "entries", checked.limits)

    def _allocate(self, sequence: str, key: Optional[str], options: _Options, more: Optional[_Query] = None) -> Allocation:
        query, headers = {**options.query, **(more or {})}, options.actor
        if key is not None and _PLAIN.fullmatch(key):
            headers["Idempotency-Key"] = key
        else:
            query["key"] = key
        remedy = "Make the same call later, with the same key."
        if key is None:
            remedy = "A number may have been skipped, and another call takes another one."
        return _allocation(
            self._send("POST", _path(sequence, "next"), query, options.limits, headers, b"", needed=_NUMBERS, key=key, remedy=remedy)
        )

    def _set_status(self, sequence: str, content: dict[str, str], options: _Options) -> Allocation:
        headers, body = _json(content)
        sent_headers = {**headers, **options.actor}
        return _allocation(self._send("POST", _path(sequence, "status"), {}, options.limits, sent_headers, body, needed=_NUMBERS))

    def _definition(self, location: str, limits: _Limits) -> Optional[dict[str, Any]]:
        try:
            definition: dict[str, Any] = self._send("GET", location, {}, limits, needed=_DEFINITION).body
            return definition
        except NumeraProblem as e:
            if e.kind == "unknown-sequence":
                return None
            raise

    def _create(self, sequence: str, definition: dict[str, Any], options: _Options) -> dict[str, Any]:
        """Creates a sequence. Another program may have created it meanwhile, or this one, if an answer was lost."""
        location = _path(sequence)
        headers, body = _json(definition)
        try:
            sent_headers = {**headers, "If-None-Match": "*", **options.actor}
            created: dict[str, Any] = self._send("PUT", location, {}, options.limits, sent_headers, body, needed=_DEFINITION).body
            return created
        except NumeraProblem as e:
            stored = self._definition(location, options.limits) if e.kind == "precondition-failed" else None
            if stored is None:
                raise
            return _same(sequence, stored, definition)

    def _rows(self, location: str, upload: _Upload, query: _Query, field: str, limits: _Limits) -> Iterator[Any]:
        sent_query, headers, body = upload
        sent = self._send("POST", location, sent_query, limits, headers, body, needed=_ID).body
        result = f"{location}/{urllib.parse.quote(sent['id'], safe='')}"
        first = self._finished(result, query, 1 if sent["status"] == "pending" else 0, limits)
        yield from self._pages(result, query, field, limits, first)

    def _finished(self, location: str, query: _Query, wait_seconds: float, limits: _Limits) -> Any:
        wait_for_seconds = self._wait_for_seconds if limits.wait_for_seconds is None else limits.wait_for_seconds
        deadline = self._clock.monotonic() + wait_for_seconds
        while self._clock.monotonic() + wait_seconds <= deadline:
            self._pause(wait_seconds, limits, None)
            answer = self._send("GET", location, query, limits, needed=_ID)
            if answer.status != 202:
                return answer.body
            retry_after = answer.retry_after_seconds
            wait_seconds = 1 if retry_after is None else min(retry_after, _LONGEST_RETRY_AFTER_SECONDS)
        raise NumeraUnavailable(f"{location} is not done after {wait_for_seconds} s. Send the same list again later.")

    def _pages(self, location: str, query: _Query, field: str, limits: _Limits, page: Any = None) -> Iterator[Any]:
        for each in self._each_page(location, query, field, limits, page):
            yield from each[field]

    def _each_page(self, location: str, query: _Query, field: str, limits: _Limits, page: Any = None) -> Iterator[Any]:
        page = page or self._send("GET", location, query, limits, needed=(field, list)).body
        yield page
        while "continuation" in page:
            page = self._send("GET", location, {**query, "continuation": page["continuation"]}, limits, needed=(field, list)).body
            yield page

    def _send(
        self,
        method: str,
        location: str,
        query: _Query,
        limits: _Limits,
        headers: Optional[_Headers] = None,
        body: Optional[bytes] = None,
        *,
        needed: _Needed,
        key: Optional[str] = None,
        remedy: str = _SAME_CALL,
    ) -> _Answer:
        deadline = self._clock.monotonic() + (self._try_for_seconds if limits.try_for_seconds is None else limits.try_for_seconds)
        attempts = 1
        while True:
            sent_headers = self._headers(headers)
            answer, cause = None, None
            try:
                within = min(self._answer_within_seconds, deadline - self._clock.monotonic())
                answer = self._answer(method, location + _search(query), body, sent_headers, within, key)
                if answer.is_ok:
                    _require(answer.body, *needed)
                    return answer._replace(attempts=attempts)
            except (OSError, http.client.HTTPException, json.JSONDecodeError, UnicodeDecodeError) as e:
                # No complete answer arrived. The result is unknown; a retry with the same key is safe.
                answer, cause = None, e
            if answer and not answer.is_retried:
                raise answer.problem(self._url)
            left_seconds = deadline - self._clock.monotonic()
            wait_seconds = None if _is_of_tls(cause) else _wait(attempts, answer.retry_after_seconds if answer else None, left_seconds)
            if wait_seconds is not None:
                self._on_retry(Retry(method, location, attempts, wait_seconds, answer.status if answer else None, cause))
                self._pause(wait_seconds, limits, attempts, remedy)
            # The wait may have taken longer, for example if the machine was suspended.
            if wait_seconds is None or self._clock.monotonic() >= deadline:
                if answer and answer.is_numera:
                    raise answer.problem(self._url)
                last = f"The last answer was {answer.status}." if answer else f"The last failure: {cause!r}"
                raise NumeraUnavailable(
                    f"{method} {location} got no usable answer in {attempts} attempts. {remedy} {last}",
                    attempts,
                    answer.status if answer else None,
                ) from cause
            attempts += 1

    def _pause(self, seconds: float, limits: _Limits, attempts: Optional[int], remedy: str = _SAME_CALL) -> None:
        if limits.cancel is None:
            self._clock.sleep(seconds)
        elif limits.cancel.wait(seconds):
            raise NumeraUnavailable(f"The call was cancelled. {remedy}", attempts)

    def _answer(
        self, method: str, location: str, body: Optional[bytes], headers: _Headers, timeout: float, key: Optional[str]
    ) -> _Answer:
        connection, response = self._connections.send(method, location, body, headers, timeout)
        try:
            content = response.read()
        finally:
            self._connections.keep(connection, response)
        is_ok = 200 <= response.status < 300
        is_problem = response.headers.get_content_type() == "application/problem+json"
        if is_ok or is_problem:
            fields = json.loads(content)
            if not isinstance(fields, dict):
                raise json.JSONDecodeError("The answer is no JSON object", str(fields), 0)
            if is_ok and key is not None and _nfc(str(fields.get("key"))) != _nfc(key):
                # Another answer may be on its way on the same connection.
                self._connections.close()
                raise http.client.HTTPException("The answer is for another key.")
        else:
            fields = {"detail": content.decode(errors="replace")[:500] or None}
        is_numera = is_problem and str(fields.get("type")).startswith(_NUMERA)
        return _Answer(response.status, fields, is_numera, _retry_after(response.headers.get("Retry-After")))

    def _headers(self, headers: Optional[_Headers]) -> _Headers:
        credentials = {"x-functions-key": self._function_key} if self._function_key else {}
        if self._rights is not None:
            credentials["Numera-Rights"] = self._rights
        if self._token:
            credentials["Authorization"] = f"Bearer {_header('token', self._token())}"
        return {"Accept": "application/json", "User-Agent": f"numera-python/{_VERSION}", **credentials, **(headers or {})}


def _require(body: dict[str, Any], field: str, kind: type) -> None:
    # A bool is an int as well.
    if type(body.get(field)) is not kind:
        raise http.client.HTTPException(f"The answer is of another server: it has no valid {field!r}.")


def _allocation(answer: _Answer) -> Allocation:
    allocation: Allocation = answer.body
    allocation["attempts"] = answer.attempts
    return allocation


def _same(sequence: str, stored: dict[str, Any], definition: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the stored definition if it has each wanted value."""
    values = {field: (stored.get(field), wanted) for field, wanted in definition.items()}
    differences = {field: pair for field, pair in values.items() if pair[0] != _as_stored(field, pair[1])}
    if differences:
        raise NumeraDifference(sequence, differences)
    return stored


def _as_stored(field: str, value: Any) -> Any:
    """Returns a month for its first day, as the service does."""
    is_first = field == "fiscalYearStart" and isinstance(value, str) and _FIRST_OF_MONTH.fullmatch(value)
    return int(value[:2]) if is_first else value


def _is_of_tls(cause: Optional[Exception]) -> bool:
    """Whether a retry would fail like this again: a wrong certificate, or a server without TLS. A connection that ends is no such failure."""
    return isinstance(cause, ssl.SSLError) and not isinstance(cause, (ssl.SSLEOFError, ssl.SSLZeroReturnError))


def _retry_after(header: Optional[str]) -> Optional[float]:
    """Returns the seconds that the header states; it may contain a date. Any other header counts as missing."""
    try:
        if header and _SECONDS.fullmatch(header):
            return int(header)
        if header and _HTTP_DATE.fullmatch(header):
            return max(email.utils.parsedate_to_datetime(header).timestamp() - time.time(), 0)
    except (TypeError, ValueError):
        pass  # Such as the month Abc.
    return None


def _wait(attempts: int, retry_after_seconds: Optional[float], left_seconds: float) -> Optional[float]:
    """Returns the pause before the next attempt; None if no time is left for one.

    The pause has a random part, so that many callers do not retry at the same time. The last pause is shortened, unless the server
    stated it."""
    if retry_after_seconds is not None:
        seconds = min(retry_after_seconds, _LONGEST_RETRY_AFTER_SECONDS) + random.uniform(0, 0.5)
    else:
        longest = min(_FIRST_WAIT_SECONDS * 2.0 ** min(attempts - 1, _MOST_DOUBLINGS), _LONGEST_WAIT_SECONDS)
        seconds = min(longest * random.uniform(0.5, 1), left_seconds - _LAST_ATTEMPT_SECONDS)
    return seconds if 0 <= seconds < left_seconds else None


def _text(what: str, value: Any) -> str:
    """Refuses a missing key, which would allocate other numbers at each retry, and half a character, which cannot be sent."""
    if not isinstance(value, str):
        raise TypeError(f"The {what} must be a string, not {value!r}.")
    if not value or _CONTROL.search(value):
        raise ValueError(f"The {what} must have printable characters only, and not be empty: {value!r}.")
    value.encode()
    return value


def _nfc(key: str) -> str:
    """Returns the Unicode form in which Numera stores keys."""
    return unicodedata.normalize("NFC", key)


def _header(what: str, value: str) -> str:
    if not _HEADER.fullmatch(value):
        raise ValueError(f"The {what} must be printable ASCII without a blank at either end.")
    return value


def _date(value: Optional[_Date]) -> Optional[str]:
    if value is None:
        return None
    if isinstance(value, datetime.datetime):
        raise TypeError(f"The date has no time: use .date(), in the sequence's time zone, instead of {value!r}.")
    if not isinstance(value, datetime.date) and not (isinstance(value, str) and _DATE.fullmatch(value)):
        raise ValueError(f"The date is a datetime.date, or such as '2026-11-21', not {value!r}.")
    return str(value)


def _list(values: Any) -> Iterable[Any]:
    if isinstance(values, (str, bytes, Mapping)):
        raise TypeError(f"A list is expected, not {type(values).__name__}.")
    listed: Iterable[Any] = values
    return listed


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    for name in row:
        if name not in _ROW:
            raise ValueError(f"A row has no {name!r}. Its fields are {', '.join(_ROW)}.")
    return {**row, "key": _text("key", row.get("key")), "date": _date(row.get("date"))}


def _path(sequence: str, call: Optional[str] = None) -> str:
    parts = sequence.split("/")
    if len(parts) != 2 or not all(parts):
        raise ValueError(f"A sequence is named 'scope/name', such as 'App1/invoice', not {sequence!r}.")
    return "/sequences/" + "/".join(urllib.parse.quote(part, safe="") for part in parts) + ("" if call is None else "/" + call)


def _search(query: _Query) -> str:
    stated = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items() if value is not None}
    return "?" + urllib.parse.urlencode(stated, quote_via=urllib.parse.quote, safe="") if stated else ""


def _json(content: Any) -> tuple[_Headers, bytes]:
    return {"Content-Type": "application/json"}, json.dumps(_stated(content)).encode()


def _stated(content: Any) -> Any:
    """Omits None."""
    if isinstance(content, dict):
        return {name: _stated(value) for name, value in content.items() if value is not None}
    return [_stated(each) for each in content] if isinstance(content, list) else content


def _checked(kind: Any, options: Mapping[str, Any]) -> _Options:
    """Checks the options of a call. An unknown name may be a misspelled one, so it is an error."""
    for name in options:
        if name not in kind.__optional_keys__:
            raise TypeError(f"There is no option {name!r}. The options of this call are {', '.join(sorted(kind.__optional_keys__))}.")
    query = {name: _option(name, value) for name, value in options.items() if value is not None}
    limits = _Limits(**{name: query.pop(name) for name in _Limits._fields if name in query})
    # The ledger selects by an actor; each other call is made by one.
    actor = {} if kind is LedgerFilter or "actor" not in query else {"Numera-Actor": urllib.parse.quote(query.pop("actor"), safe="")}
    return _Options({_camel(name): value for name, value in query.items()}, actor, limits)


def _option(name: str, value: Any) -> Any:
    if name.startswith("date"):
        return _date(value)
    return _text(name, value) if name in ("actor", "key") else value


def _camel(name: str) -> str:
    """Returns ``dateFrom`` for ``date_from``, and ``from`` for ``from_``."""
    return re.sub("_(.?)", lambda letter: letter[1].upper(), name)
