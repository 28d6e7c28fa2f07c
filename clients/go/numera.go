// Package numera allocates numbers with Numera and handles failures on the way. It needs only the standard library.
//
// A call is repeated with the same key in three cases: its answer is lost, a proxy on the way answers 408, 429 or 5xx, or Numera
// itself answers with a Retry-After. No other failure is retried.
package numera

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const page = 1000

// Keys that a header carries unchanged. Any other key is sent as a parameter, and so is a key in quotes, which a header
// would lose.
var plainKey = regexp.MustCompile(`^[!#-~]([ !#-~]*[!#-~])?$`)

// Client makes the calls. Set its fields before the first call; after that, several goroutines may use it. A sequence
// is named scope/name.
type Client struct {
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
	// TryFor is how long a call is retried in total; 0 means 2 minutes.
	TryFor time.Duration
	// AnswerWithin is how long one request may take; 0 means 30 s.
	AnswerWithin time.Duration
	// WaitFor is how long the result of a list may take; 0 means 15 minutes.
	WaitFor time.Duration
	// Transport sends the requests; nil means http.DefaultTransport.
	Transport http.RoundTripper
	// Clock is for tests; nil means the system's clock.
	Clock Clock
}

// Parameters are the parameters of the HTTP call, under their names on the app's page /api/docs, such as count, date and reserve.
// For a change, actor is one of them.
type Parameters map[string]any

// Allocation contains the numbers of one request. A field that does not apply is empty.
type Allocation struct {
	Key       string    `json:"key,omitempty"`
	First     int64     `json:"first"`
	Last      int64     `json:"last"`
	Count     int       `json:"count"`
	Increment int64     `json:"increment"`
	Texts     []string  `json:"texts,omitempty"`
	Date      string    `json:"date,omitempty"`
	Period    string    `json:"period,omitempty"`
	Replayed  bool      `json:"replayed,omitempty"`
	Created   bool      `json:"created,omitempty"`
	Status    string    `json:"status,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	StatusAt  time.Time `json:"statusAt"`
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
}

// Next returns the next numbers. The same key always gets the same numbers. An empty key means no key: a lost answer
// then skips numbers.
func (c *Client) Next(ctx context.Context, sequence, key string, parameters Parameters) (*Allocation, error) {
	query, headers := with(parameters), map[string]string{}
	if plainKey.MatchString(key) {
		headers["Idempotency-Key"] = key
	} else if key != "" {
		query["key"] = key
	}
	return c.allocation(ctx, sequence, "next", request{method: http.MethodPost, query: query, headers: headers})
}

// Reserve reserves numbers until the key is confirmed or voided.
func (c *Client) Reserve(ctx context.Context, sequence, key string, parameters Parameters) (*Allocation, error) {
	query := with(parameters)
	query["reserve"] = true
	return c.Next(ctx, sequence, key, query)
}

// Confirm issues the reserved numbers of a key.
func (c *Client) Confirm(ctx context.Context, sequence, key string, parameters Parameters) (*Allocation, error) {
	return c.setStatus(ctx, sequence, Parameters{"key": key, "status": "issued"}, parameters)
}

// VoidNumbers voids the numbers of a key permanently. It also succeeds if they are void already, for whatever reason.
func (c *Client) VoidNumbers(ctx context.Context, sequence, key, reason string, parameters Parameters) (*Allocation, error) {
	allocation, err := c.setStatus(ctx, sequence, Parameters{"key": key, "status": "void", "reason": reason}, parameters)
	if problem, ok := err.(*Problem); ok && problem.Kind() == "status-final" {
		if stored := problem.Allocation(); stored != nil && stored.Status == "void" {
			return stored, nil
		}
	}
	return allocation, err
}

// Batch numbers a list of keys and yields each key with its numbers or its problem. The list is sent when the iteration
// starts. The id names the list: the same list under the same id is uploaded only once.
func (c *Client) Batch(ctx context.Context, sequence, id string, keys []string, parameters Parameters) iter.Seq2[NumberedKey, error] {
	body := with(parameters)
	body["id"], body["keys"] = id, keys
	return rows[NumberedKey](ctx, c, sequence, "batches", jsonRequest(body), nil, "allocations")
}

// BatchCSV is Batch for the text of a CSV file. The id must be ASCII.
func (c *Client) BatchCSV(ctx context.Context, sequence, id, csv string, parameters Parameters) iter.Seq2[NumberedKey, error] {
	upload := csvRequest(csv, parameters)
	upload.headers["Idempotency-Key"] = id
	return rows[NumberedKey](ctx, c, sequence, "batches", upload, nil, "allocations")
}

// ImportNumbers imports numbers of another system and yields the result of each row. A row has a key, a number or a
// text, and optionally date, status and reason. The parameter outcome selects the refused rows; dryRun only reports
// what an import would do.
func (c *Client) ImportNumbers(ctx context.Context, sequence, id string, list []Parameters, parameters Parameters) iter.Seq2[ImportedRow, error] {
	upload := jsonRequest(Parameters{"rows": list})
	upload.query = without(parameters, "actor", "outcome")
	return c.imported(ctx, sequence, id, upload, parameters)
}

// ImportCSV is ImportNumbers for the text of a CSV file.
func (c *Client) ImportCSV(ctx context.Context, sequence, id, csv string, parameters Parameters) iter.Seq2[ImportedRow, error] {
	return c.imported(ctx, sequence, id, csvRequest(csv, without(parameters, "actor", "outcome")), parameters)
}

// Ledger yields the entries of the ledger that the parameters select; without parameters, all entries of today's
// period.
func (c *Client) Ledger(ctx context.Context, sequence string, parameters Parameters) iter.Seq2[LedgerEntry, error] {
	return func(yield func(LedgerEntry, error) bool) {
		location, err := path(sequence, "ledger")
		if err != nil {
			yield(LedgerEntry{}, err)
			return
		}
		query := with(parameters)
		if _, stated := query["limit"]; !stated {
			query["limit"] = page
		}
		pages(ctx, c, location, query, "entries", nil, yield)
	}
}

func (c *Client) allocation(ctx context.Context, sequence, call string, r request) (*Allocation, error) {
	location, err := path(sequence, call)
	if err != nil {
		return nil, err
	}
	r.location = location
	answer, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	allocation := new(Allocation)
	return allocation, json.Unmarshal(answer.body, allocation)
}

func (c *Client) setStatus(ctx context.Context, sequence string, body, parameters Parameters) (*Allocation, error) {
	r := jsonRequest(body)
	r.query = without(parameters, "actor")
	setActor(r, parameters)
	return c.allocation(ctx, sequence, "status", r)
}

func (c *Client) imported(ctx context.Context, sequence, id string, upload request, parameters Parameters) iter.Seq2[ImportedRow, error] {
	upload.headers["Idempotency-Key"] = id
	setActor(upload, parameters)
	query := Parameters{}
	if outcome, stated := parameters["outcome"]; stated {
		query["outcome"] = outcome
	}
	return rows[ImportedRow](ctx, c, sequence, "imports", upload, query, "rows")
}

// rows sends a list, waits until it is done, and yields its rows.
func rows[T any](ctx context.Context, c *Client, sequence, call string, upload request, query Parameters, field string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		query := with(query)
		query["limit"] = page
		location, first, err := c.finished(ctx, sequence, call, upload, query)
		if err != nil {
			yield(*new(T), err)
			return
		}
		pages(ctx, c, location, query, field, first, yield)
	}
}

// finished waits until a list is done and returns its location and its first page.
func (c *Client) finished(ctx context.Context, sequence, call string, upload request, query Parameters) (string, fields, error) {
	location, err := path(sequence, call)
	if err != nil {
		return "", nil, err
	}
	upload.location = location
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
	limit := orDefault(c.WaitFor, 15*time.Minute)
	for deadline := c.clock().Now().Add(limit); !c.clock().Now().Add(wait).After(deadline); {
		if err := c.clock().Sleep(ctx, wait); err != nil {
			return "", nil, err
		}
		answer, err := c.send(ctx, request{method: http.MethodGet, location: location, query: query})
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
	return "", nil, &Unavailable{message: fmt.Sprintf("%s is not done after %s. Send the same list again later.", location, limit)}
}

// pages yields the rows of all pages. The caller may pass the first page.
func pages[T any](ctx context.Context, c *Client, location string, query Parameters, field string, first fields, yield func(T, error) bool) {
	for page := first; ; {
		if page == nil {
			answer, err := c.send(ctx, request{method: http.MethodGet, location: location, query: query})
			if err != nil {
				yield(*new(T), err)
				return
			}
			page = answer.fields
		}
		var list []T
		if err := json.Unmarshal(page[field], &list); err != nil {
			yield(*new(T), err)
			return
		}
		for _, row := range list {
			if !yield(row, nil) {
				return
			}
		}
		continuation, more := page["continuation"]
		if !more {
			return
		}
		var next string
		if err := json.Unmarshal(continuation, &next); err != nil {
			yield(*new(T), err)
			return
		}
		query = with(query)
		query["continuation"] = next
		page = nil
	}
}

func path(sequence, call string) (string, error) {
	names := strings.Split(sequence, "/")
	if len(names) != 2 || names[0] == "" || names[1] == "" {
		return "", fmt.Errorf("numera: a sequence is named 'scope/name', such as 'App1/invoice', not '%s'", sequence)
	}
	return "/sequences/" + url.PathEscape(names[0]) + "/" + url.PathEscape(names[1]) + "/" + call, nil
}

func jsonRequest(body any) request {
	content, err := json.Marshal(body)
	if err == nil {
		err = requireUTF8(body)
	}
	return request{method: http.MethodPost, headers: map[string]string{"Content-Type": "application/json"}, body: content, err: err}
}

// requireUTF8 fails if a string is not UTF-8: JSON would replace the invalid bytes, so two different keys could become
// equal.
func requireUTF8(value any) error {
	switch value := value.(type) {
	case string:
		if !utf8.ValidString(value) {
			return fmt.Errorf("numera: %q is not UTF-8", value)
		}
	case []string:
		return requireEachUTF8(slices.Values(value))
	case []Parameters:
		return requireEachUTF8(slices.Values(value))
	case Parameters:
		return requireEachUTF8(maps.Values(value))
	}
	return nil
}

func requireEachUTF8[T any](values iter.Seq[T]) error {
	for value := range values {
		if err := requireUTF8(value); err != nil {
			return err
		}
	}
	return nil
}

func csvRequest(csv string, query Parameters) request {
	return request{method: http.MethodPost, query: query, headers: map[string]string{"Content-Type": "text/csv"}, body: []byte(csv)}
}

func setActor(r request, parameters Parameters) {
	if actor, stated := parameters["actor"]; stated {
		r.headers["Numera-Actor"] = url.PathEscape(fmt.Sprint(actor))
	}
}

func with(parameters Parameters) Parameters {
	all := Parameters{}
	maps.Copy(all, parameters)
	return all
}

func without(parameters Parameters, names ...string) Parameters {
	rest := with(parameters)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}
