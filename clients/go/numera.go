// Package numera allocates numbers with Numera and handles failures on the way. It needs only the standard library.
//
// A call is repeated with the same key in three cases: its answer is lost, a proxy on the way answers 408, 429 or 5xx, or Numera
// itself answers with a Retry-After. No other failure is retried. What no retry can correct fails with ErrInvalid before
// anything is sent.
package numera

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	version = "0.3.0-SNAPSHOT"
	page    = 1000
)

// ErrInvalid means that a setting or a parameter cannot be sent: nothing was sent.
var ErrInvalid = errors.New("numera: invalid")

var (
	// Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a header
	// would lose.
	plain  = regexp.MustCompile(`^[!#-~]([ !#-~]*[!#-~])?$`)
	header = regexp.MustCompile(`^[!-~]([ -~]*[!-~])?$`)
	date   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

	wholeSeconds = regexp.MustCompile(`^\d+$`)
	firstOfMonth = regexp.MustCompile(`^\d{2}-01$`)
)

// Config has the settings of a client.
type Config struct {
	// URL is the address of the API, such as https://APP.azurewebsites.net/api.
	URL string
	// FunctionKey is sent with each request unless it is empty.
	FunctionKey string
	// Rights are the only rights of each call, such as Numera.Allocate:Shop1, for a backend whose tenants share a key.
	// Empty means all rights of the key.
	Rights string
	// Token returns the bearer token for a gateway in front of the app. It is called before each request. Nil means no
	// token.
	Token func(context.Context) (string, error)
	// TryFor is how long a call is retried in total; 0 means 2 minutes. The deadline of a call's context may be earlier:
	// the call then fails with *Unavailable as well.
	TryFor time.Duration
	// AnswerWithin is how long one request may take; 0 means 30 s.
	AnswerWithin time.Duration
	// WaitFor is how long the result of a list may take; 0 means 15 minutes.
	WaitFor time.Duration
	// Transport sends the requests; nil means http.DefaultTransport.
	Transport http.RoundTripper
	// OnRetry is called before each pause; nil means no call.
	OnRetry func(Retry)
	// Clock is for tests; nil means the system's clock.
	Clock Clock
}

// Retry describes an attempt that is followed by another one.
type Retry struct {
	Method, Location string
	// Attempts is how often the call was sent so far.
	Attempts int
	Wait     time.Duration
	// Status is the status of the answer; 0 if none arrived.
	Status int
	// Cause is the reason why no answer arrived; nil if one arrived.
	Cause error
}

// Client makes the calls. Several goroutines may use it. A sequence is named scope/name.
type Client struct {
	config Config
	http   *http.Client
}

// New returns a client. It fails with ErrInvalid if no request could be sent with these settings.
func New(config Config) (*Client, error) {
	address, err := url.Parse(config.URL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" || address.RawQuery != "" {
		return nil, fmt.Errorf("%w: the URL is such as https://APP.azurewebsites.net/api, not %q", ErrInvalid, config.URL)
	}
	if err := requireHeader("function key", config.FunctionKey); err != nil {
		return nil, err
	}
	if err := requireHeader("rights", config.Rights); err != nil {
		return nil, err
	}
	config.URL = strings.TrimRight(config.URL, "/")
	config.TryFor = orDefault(config.TryFor, 2*time.Minute)
	config.AnswerWithin = orDefault(config.AnswerWithin, 30*time.Second)
	config.WaitFor = orDefault(config.WaitFor, 15*time.Minute)
	if config.Clock == nil {
		config.Clock = systemClock{}
	}
	return &Client{config: config, http: &http.Client{
		Transport: config.Transport,
		// A redirect would turn POST into GET.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// NextOptions are the options of Next, NextWithoutKey and Reserve. Nil and zero values mean the default.
type NextOptions struct {
	// Count is how many numbers are allocated, all or none; 0 means 1.
	Count int
	// Date is the date of the document, such as 2026-11-21; empty means today in the sequence's time zone.
	Date string
	// Actor names the person or program that allocates.
	Actor string
}

// ChangeOptions are the options of Confirm and VoidNumbers.
type ChangeOptions struct {
	// Actor names the person who makes the change.
	Actor string
}

// BatchOptions are the options of Batch.
type BatchOptions struct {
	Date    string
	Reserve bool
	Actor   string
}

// ImportOptions are the options of ImportNumbers.
type ImportOptions struct {
	Actor string
	// OnlyRefused selects the refused rows of the result.
	OnlyRefused bool
	// DryRun only reports what an import would do.
	DryRun bool
}

// LedgerFilter selects entries of the ledger. Zero values select nothing.
type LedgerFilter struct {
	From, To                                             *int64
	Text, Key, KeyPrefix, Date, DateFrom, DateTo, Status string
	// Actor is a part of the actor's name, Reason a part of the reason, which only void and skipped numbers have.
	Actor, Reason string
	// Order is desc for the newest entries first.
	Order string
	// Limit is the size of a page; 0 means 1000.
	Limit int
}

// RowToImport has either a number or a text.
type RowToImport struct {
	Key    string `json:"key"`
	Number *int64 `json:"number,omitempty"`
	Text   string `json:"text,omitempty"`
	Date   string `json:"date,omitempty"`
	Status string `json:"status,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Allocation contains the numbers of one request. A field that does not apply is empty.
type Allocation struct {
	Key       string   `json:"key,omitempty"`
	First     int64    `json:"first"`
	Last      int64    `json:"last"`
	Count     int      `json:"count,omitempty"`
	Increment int64    `json:"increment,omitempty"`
	Texts     []string `json:"texts,omitempty"`
	Date      string   `json:"date,omitempty"`
	Period    string   `json:"period,omitempty"`
	// Replayed means that an earlier request with the same key got these numbers: also an earlier attempt of this call
	// whose answer was lost. Attempts is more than 1 then.
	Replayed bool `json:"replayed,omitempty"`
	// Attempts is how often this call was sent; 0 in a list.
	Attempts      int        `json:"attempts,omitempty"`
	Created       bool       `json:"created,omitempty"`
	Actor         string     `json:"actor,omitempty"`
	ActorID       string     `json:"actorId,omitempty"`
	Status        string     `json:"status,omitempty"`
	Reason        string     `json:"reason,omitempty"`
	StatusAt      *time.Time `json:"statusAt,omitempty"`
	StatusActor   string     `json:"statusActor,omitempty"`
	StatusActorID string     `json:"statusActorId,omitempty"`
}

// NumberedKey is a key of a list with its numbers, or with the problem that explains why it got none.
type NumberedKey struct {
	Allocation
	Problem *Problem `json:"problem,omitempty"`
}

// ImportedRow is a row of an import. Its outcome is imported, already-there, or refused with a problem; would-import in
// a dry run.
type ImportedRow struct {
	NumberedKey
	Outcome string `json:"outcome"`
}

// LedgerEntry contains numbers that were allocated under a key or imported, or a range that an advance skipped. The
// kind is allocation, import or advance.
type LedgerEntry struct {
	Allocation
	Kind        string    `json:"kind"`
	AllocatedAt time.Time `json:"allocatedAt"`
	// History has each status that was set; only with the filter Key.
	History []StatusChange `json:"history,omitempty"`
}

// StatusChange is a status that was set.
type StatusChange struct {
	Status  string    `json:"status"`
	At      time.Time `json:"at"`
	Reason  string    `json:"reason,omitempty"`
	Actor   string    `json:"actor,omitempty"`
	ActorID string    `json:"actorId,omitempty"`
}

// Next returns the next numbers. The same key always gets the same numbers.
func (c *Client) Next(ctx context.Context, sequence, key string, options *NextOptions) (*Allocation, error) {
	if err := requireText("key", key); err != nil {
		return nil, err
	}
	return c.next(ctx, sequence, key, options, nil)
}

// NextWithoutKey returns the next numbers without a key: a lost answer skips numbers, and a repeated call gets other
// numbers.
func (c *Client) NextWithoutKey(ctx context.Context, sequence string, options *NextOptions) (*Allocation, error) {
	return c.next(ctx, sequence, "", options, nil)
}

// Reserve reserves numbers until the key is confirmed or voided.
func (c *Client) Reserve(ctx context.Context, sequence, key string, options *NextOptions) (*Allocation, error) {
	if err := requireText("key", key); err != nil {
		return nil, err
	}
	return c.next(ctx, sequence, key, options, parameters{"reserve": "true"})
}

// Confirm issues the reserved numbers of a key.
func (c *Client) Confirm(ctx context.Context, sequence, key string, options *ChangeOptions) (*Allocation, error) {
	if err := requireText("key", key); err != nil {
		return nil, err
	}
	return c.setStatus(ctx, sequence, map[string]string{"key": key, "status": "issued"}, options)
}

// VoidNumbers voids the numbers of a key permanently. It also succeeds if they are void already, for whatever reason.
func (c *Client) VoidNumbers(ctx context.Context, sequence, key, reason string, options *ChangeOptions) (*Allocation, error) {
	if err := errors.Join(requireText("key", key), requireText("reason", reason)); err != nil {
		return nil, err
	}
	allocation, err := c.setStatus(ctx, sequence, map[string]string{"key": key, "status": "void", "reason": reason}, options)
	var problem *Problem
	if errors.As(err, &problem) && problem.Kind() == "status-final" {
		if stored := problem.Allocation(); stored != nil && stored.Status == "void" {
			return stored, nil
		}
	}
	return allocation, err
}

// Batch numbers a list of keys and yields each key with its numbers or its problem. The list is sent when the iteration
// starts. The id names the list: the same list under the same id is uploaded only once.
func (c *Client) Batch(ctx context.Context, sequence, id string, keys []string, options *BatchOptions) iter.Seq2[NumberedKey, error] {
	o := orZero(options)
	body := map[string]any{"id": id, "keys": keys}
	if o.Date != "" {
		body["date"] = o.Date
	}
	if o.Reserve {
		body["reserve"] = true
	}
	upload := jsonRequest(body, o.Actor, requireText("id", id), requireDate("date", o.Date))
	for _, key := range keys {
		upload.err = errors.Join(upload.err, requireText("key", key))
	}
	return rows[NumberedKey](ctx, c, sequence, "batches", upload, nil, "allocations")
}

// ImportNumbers imports numbers of another system and yields the result of each row. The id is ASCII.
func (c *Client) ImportNumbers(ctx context.Context, sequence, id string, list []RowToImport, options *ImportOptions) iter.Seq2[ImportedRow, error] {
	o := orZero(options)
	upload := jsonRequest(map[string]any{"rows": list}, o.Actor)
	if !plain.MatchString(id) {
		// Unlike a key, this id can only be sent in a header.
		upload.err = errors.Join(upload.err, fmt.Errorf("%w: the id of an import must be ASCII without quotes, not %q", ErrInvalid, id))
	}
	for _, row := range list {
		upload.err = errors.Join(upload.err, requireText("key", row.Key), requireDate("date", row.Date), requireUTF8(row.Text+row.Reason))
	}
	upload.headers[keyHeader] = id
	if o.DryRun {
		upload.query = parameters{"dryRun": "true"}
	}
	query := parameters{}
	if o.OnlyRefused {
		query["outcome"] = "refused"
	}
	return rows[ImportedRow](ctx, c, sequence, "imports", upload, query, "rows")
}

// Ledger yields the entries of the ledger that the filter selects; without a filter, all entries of today's period.
func (c *Client) Ledger(ctx context.Context, sequence string, filter *LedgerFilter) iter.Seq2[LedgerEntry, error] {
	f := orZero(filter)
	query := parameters{"limit": strconv.Itoa(page), "text": f.Text, "key": f.Key, "keyPrefix": f.KeyPrefix, "status": f.Status}
	maps.Copy(query, parameters{"actor": f.Actor, "reason": f.Reason, "order": f.Order})
	maps.Copy(query, parameters{"date": f.Date, "dateFrom": f.DateFrom, "dateTo": f.DateTo, "from": number(f.From), "to": number(f.To)})
	if f.Limit != 0 {
		query["limit"] = strconv.Itoa(f.Limit)
	}
	invalid := errors.Join(requireDate("date", f.Date), requireDate("dateFrom", f.DateFrom), requireDate("dateTo", f.DateTo))
	return func(yield func(LedgerEntry, error) bool) {
		location, err := path(sequence, "ledger")
		if err := errors.Join(err, invalid); err != nil {
			yield(LedgerEntry{}, err)
			return
		}
		pages(ctx, c, location, query, "entries", nil, yield)
	}
}

func (c *Client) next(ctx context.Context, sequence, key string, options *NextOptions, query parameters) (*Allocation, error) {
	o := orZero(options)
	r := request{method: http.MethodPost, query: parameters{"date": o.Date}, headers: map[string]string{}}
	maps.Copy(r.query, query)
	if o.Count != 0 {
		r.query["count"] = strconv.Itoa(o.Count)
	}
	r.key, r.remedy = key, "Make the same call later, with the same key."
	if key == "" {
		r.remedy = "A number may have been skipped, and another call takes another one."
	}
	if plain.MatchString(key) {
		r.headers[keyHeader] = key
	} else {
		r.query["key"] = key
	}
	r.err = errors.Join(requireDate("date", o.Date), r.setActor(o.Actor))
	return c.allocation(ctx, sequence, "next", r)
}

func (c *Client) allocation(ctx context.Context, sequence, call string, r request) (*Allocation, error) {
	location, err := path(sequence, call)
	if err != nil {
		return nil, err
	}
	r.location, r.needs = location, has[int64]("first")
	answer, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	allocation := new(Allocation)
	if err := json.Unmarshal(answer.body, allocation); err != nil {
		return nil, err
	}
	allocation.Attempts = answer.attempts
	return allocation, nil
}

func (c *Client) setStatus(ctx context.Context, sequence string, body map[string]string, options *ChangeOptions) (*Allocation, error) {
	return c.allocation(ctx, sequence, "status", jsonRequest(body, orZero(options).Actor))
}

// rows sends a list, waits until it is done, and yields its rows.
func rows[T any](ctx context.Context, c *Client, sequence, call string, upload request, query parameters, field string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		query := with(query, "limit", strconv.Itoa(page))
		location, first, err := c.finished(ctx, sequence, call, upload, query)
		if err != nil {
			yield(*new(T), err)
			return
		}
		pages(ctx, c, location, query, field, first, yield)
	}
}

// finished waits until a list is done and returns its location and its first page.
func (c *Client) finished(ctx context.Context, sequence, call string, upload request, query parameters) (string, fields, error) {
	location, err := path(sequence, call)
	if err != nil {
		return "", nil, err
	}
	upload.location, upload.needs = location, has[string]("id")
	answer, err := c.send(ctx, upload)
	if err != nil {
		return "", nil, err
	}
	sent := struct{ ID, Status string }{}
	if err := json.Unmarshal(answer.body, &sent); err != nil {
		return "", nil, err
	}
	location += "/" + url.PathEscape(sent.ID)
	wait := time.Duration(0)
	if sent.Status == "pending" {
		wait = time.Second
	}
	clock := c.config.Clock
	for deadline := clock.Now().Add(c.config.WaitFor); !clock.Now().Add(wait).After(deadline); {
		if err := clock.Sleep(ctx, wait); err != nil {
			return "", nil, err
		}
		answer, err := c.send(ctx, request{method: http.MethodGet, location: location, query: query, needs: has[string]("id")})
		if err != nil {
			return "", nil, err
		}
		if answer.status != http.StatusAccepted {
			return location, answer.fields, nil
		}
		wait = time.Second
		if answer.retryAfter != nil {
			wait = min(*answer.retryAfter, longestRetryAfter)
		}
	}
	return "", nil, &Unavailable{message: fmt.Sprintf("%s is not done after %s. Send the same list again later.", location, c.config.WaitFor)}
}

// pages yields the rows of all pages. The caller may pass the first page.
func pages[T any](ctx context.Context, c *Client, location string, query parameters, field string, first fields, yield func(T, error) bool) {
	isWanted := true
	err := c.eachPage(ctx, location, query, field, first, func(page fields) (bool, error) {
		var list []T
		if err := json.Unmarshal(page[field], &list); err != nil {
			return false, err
		}
		for _, row := range list {
			if isWanted = yield(row, nil); !isWanted {
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil && isWanted {
		yield(*new(T), err)
	}
}

// eachPage passes each page to use, until use returns false or an error. The caller may pass the first page.
func (c *Client) eachPage(ctx context.Context, location string, query parameters, field string, first fields, use func(fields) (bool, error)) error {
	for page := first; ; page = nil {
		if page == nil {
			answer, err := c.send(ctx, request{method: http.MethodGet, location: location, query: query, needs: has[[]json.RawMessage](field)})
			if err != nil {
				return err
			}
			page = answer.fields
		}
		if more, err := use(page); err != nil || !more {
			return err
		}
		continuation, more := page["continuation"]
		if !more {
			return nil
		}
		var next string
		if err := json.Unmarshal(continuation, &next); err != nil {
			return err
		}
		query = with(query, "continuation", next)
	}
}

func path(sequence string, call ...string) (string, error) {
	names := strings.Split(sequence, "/")
	if len(names) != 2 || names[0] == "" || names[1] == "" {
		return "", fmt.Errorf("%w: a sequence is named 'scope/name', such as 'App1/invoice', not %q", ErrInvalid, sequence)
	}
	return "/sequences/" + url.PathEscape(names[0]) + "/" + url.PathEscape(names[1]) + strings.Join(append([]string{""}, call...), "/"), nil
}

func jsonRequest(body any, actor string, invalid ...error) request {
	content, err := json.Marshal(body)
	// The service takes an unescaped U+FFFD for a sign of bytes that are not UTF-8.
	content = bytes.ReplaceAll(content, []byte("\ufffd"), []byte(`\ufffd`))
	r := request{method: http.MethodPost, headers: map[string]string{"Content-Type": "application/json"}, body: content}
	r.err = errors.Join(append(invalid, err, r.setActor(actor))...)
	return r
}

func (r *request) setActor(actor string) error {
	if actor == "" {
		return nil
	}
	r.headers["Numera-Actor"] = url.PathEscape(actor)
	return requireText("actor", actor)
}

// requireText refuses a missing key, which would allocate other numbers at each retry.
func requireText(what, text string) error {
	if text == "" {
		return fmt.Errorf("%w: the %s is empty", ErrInvalid, what)
	}
	for _, r := range text {
		if r < ' ' || (r >= 0x7f && r <= 0x9f) {
			return fmt.Errorf("%w: the %s has a control character: %q", ErrInvalid, what, text)
		}
	}
	return requireUTF8(text)
}

// requireUTF8 fails if a text is not UTF-8: JSON would replace the invalid bytes, so two different keys could become
// equal.
func requireUTF8(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%w: %q is not UTF-8", ErrInvalid, text)
	}
	return nil
}

func requireDate(what, text string) error {
	if text != "" && !date.MatchString(text) {
		return fmt.Errorf("%w: the %s is such as 2026-11-21, not %q", ErrInvalid, what, text)
	}
	return nil
}

// requireHeader does not show the value, which is secret.
func requireHeader(what, value string) error {
	if value != "" && !header.MatchString(value) {
		return fmt.Errorf("%w: the %s must be printable ASCII without a blank at either end", ErrInvalid, what)
	}
	return nil
}

func orZero[T any](options *T) T {
	if options == nil {
		return *new(T)
	}
	return *options
}

func with(query parameters, name, value string) parameters {
	all := parameters{}
	maps.Copy(all, query)
	all[name] = value
	return all
}
