package numera

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Definition is the declaration of the owner, by the field names of the page /api/docs, such as guarantee and format.
type Definition map[string]any

// Difference means that a sequence has another definition than the program declares. Nothing was changed.
type Difference struct {
	Sequence string
	// Fields has the stored and the wanted value of each field.
	Fields map[string][2]any
}

func (d *Difference) Error() string {
	var listed []string
	for field, values := range d.Fields {
		listed = append(listed, fmt.Sprintf("%s is %v, not %v", field, values[0], values[1]))
	}
	return fmt.Sprintf("numera: %s is defined otherwise: %s. Nothing was changed.", d.Sequence, strings.Join(listed, "; "))
}

// State is the state of a sequence, or of one of its periods. A field that does not apply is empty.
type State struct {
	Period           string     `json:"period,omitempty"`
	Next             int64      `json:"next"`
	NextText         string     `json:"nextText,omitempty"`
	Allocated        int64      `json:"allocated"`
	Left             int64      `json:"left"`
	Used             float64    `json:"used"`
	LastDate         string     `json:"lastDate,omitempty"`
	FirstAllocatedAt *time.Time `json:"firstAllocatedAt,omitempty"`
	ChangedAt        *time.Time `json:"changedAt,omitempty"`
	SuspendedAt      *time.Time `json:"suspendedAt,omitempty"`
	RetiredAt        *time.Time `json:"retiredAt,omitempty"`
}

// CheckFilter selects the numbers to check; all by default.
type CheckFilter struct {
	From, To               *int64
	Date, DateFrom, DateTo string
	ReservedBefore         *time.Time
}

// Check states whether each number is accounted for.
type Check struct {
	CheckedAt time.Time `json:"checkedAt"`
	Allocated int64     `json:"allocated"`
	Void      int64     `json:"void"`
	Reserved  int64     `json:"reserved"`
	Gaps      []Gap     `json:"gaps"`
}

// Gap is a range of numbers that are not in the ledger under one key. Its kind is advanced, unimported, missing,
// unrecorded or twice.
type Gap struct {
	First  int64  `json:"first"`
	Last   int64  `json:"last"`
	Kind   string `json:"kind"`
	Reason string `json:"reason,omitempty"`
}

// ParsedText is the number of a text, and its period.
type ParsedText struct {
	Number int64  `json:"number"`
	Period string `json:"period,omitempty"`
}

// Found has the entries that match a search.
type Found struct {
	Entries []FoundEntry `json:"entries"`
	// Unsearched has the sequences that were not searched and may contain a match.
	Unsearched []UnsearchedSequence `json:"unsearched"`
}

// FoundEntry is an entry of the ledger of a sequence. It was found by key, text or number.
type FoundEntry struct {
	LedgerEntry
	Scope   string `json:"scope"`
	Name    string `json:"name"`
	FoundBy string `json:"foundBy"`
}

// UnsearchedSequence was not searched, with the reason if there is one.
type UnsearchedSequence struct {
	Scope   string   `json:"scope"`
	Name    string   `json:"name"`
	Problem *Problem `json:"problem,omitempty"`
}

// Closing is a recorded closing, or the problem of one that cannot be read.
type Closing struct {
	ID           string     `json:"id"`
	ClosedAt     *time.Time `json:"closedAt,omitempty"`
	Actor        string     `json:"actor,omitempty"`
	DateFrom     string     `json:"dateFrom"`
	DateTo       string     `json:"dateTo"`
	Allocated    int64      `json:"allocated"`
	Void         int64      `json:"void"`
	Reserved     int64      `json:"reserved"`
	GapCount     int64      `json:"gapCount"`
	SHA256       string     `json:"sha256"`
	ChangedCount *int64     `json:"changedCount,omitempty"`
	Problem      *Problem   `json:"problem,omitempty"`
}

// Define creates the sequence, or returns its definition if each field of the argument has the same value already. It
// changes no sequence: it fails with *Difference if a field has another value.
func (c *Client) Define(ctx context.Context, sequence string, definition Definition, options *ChangeOptions) (Definition, error) {
	location, err := path(sequence)
	if err != nil {
		return nil, err
	}
	wanted, err := definition.asJSON()
	if err != nil {
		return nil, err
	}
	stored, err := c.definition(ctx, location)
	if err == nil && stored == nil {
		var isCreated bool
		stored, isCreated, err = c.create(ctx, location, definition, orZero(options).Actor)
		if isCreated {
			return stored, nil
		}
	}
	if err != nil {
		return nil, err
	}
	differences := map[string][2]any{}
	for field, value := range wanted {
		if !reflect.DeepEqual(stored[field], asStored(field, value)) {
			differences[field] = [2]any{stored[field], value}
		}
	}
	if len(differences) > 0 {
		return nil, &Difference{Sequence: sequence, Fields: differences}
	}
	return stored, nil
}

// asStored returns a month for its first day, as the service does.
func asStored(field string, value any) any {
	text, _ := value.(string)
	if field == "fiscalYearStart" && firstOfMonth.MatchString(text) {
		return json.Number(strings.TrimPrefix(text[:2], "0"))
	}
	return value
}

// State returns the next number, and how many are allocated and left. The date selects the period; empty means today.
func (c *Client) State(ctx context.Context, sequence, date string) (*State, error) {
	location, err := path(sequence, "state")
	state := new(State)
	r := request{method: http.MethodGet, location: location, query: parameters{"date": date}, needs: has[int64]("next")}
	r.err = errors.Join(err, requireDate("date", date))
	return state, c.read(ctx, r, state)
}

// Check checks whether each number is accounted for: it adds up all pages.
func (c *Client) Check(ctx context.Context, sequence string, filter *CheckFilter) (*Check, error) {
	f := orZero(filter)
	location, err := path(sequence, "check")
	err = errors.Join(err, requireDate("date", f.Date), requireDate("dateFrom", f.DateFrom), requireDate("dateTo", f.DateTo))
	if err != nil {
		return nil, err
	}
	query := parameters{"date": f.Date, "dateFrom": f.DateFrom, "dateTo": f.DateTo, "from": number(f.From), "to": number(f.To)}
	if f.ReservedBefore != nil {
		query["reservedBefore"] = f.ReservedBefore.UTC().Format(time.RFC3339Nano)
	}
	sum := new(Check)
	return sum, c.eachPage(ctx, location, query, "gaps", nil, func(page fields) (bool, error) {
		var one Check
		if err := page.into(&one); err != nil {
			return false, err
		}
		if sum.CheckedAt.IsZero() {
			sum.CheckedAt = one.CheckedAt
		}
		sum.Allocated, sum.Void, sum.Reserved = sum.Allocated+one.Allocated, sum.Void+one.Void, sum.Reserved+one.Reserved
		sum.Gaps = append(sum.Gaps, one.Gaps...)
		return true, nil
	})
}

// Parse returns the number and the period of a text.
func (c *Client) Parse(ctx context.Context, sequence, text string) (*ParsedText, error) {
	location, err := path(sequence, "parse")
	r := jsonRequest(map[string]string{"text": text}, "", err, requireText("text", text))
	r.location, r.needs = location, has[int64]("number")
	parsed := new(ParsedText)
	return parsed, c.read(ctx, r, parsed)
}

// Find finds a key, a text or a number in all sequences, or in the sequences of a scope: it adds up all pages. An empty
// scope means all.
func (c *Client) Find(ctx context.Context, q, scope string) (*Found, error) {
	if err := requireText("search", q); err != nil {
		return nil, err
	}
	found := new(Found)
	return found, c.eachPage(ctx, "/find", parameters{"q": q, "scope": scope}, "entries", nil, func(page fields) (bool, error) {
		var one Found
		err := page.into(&one)
		found.Entries = append(found.Entries, one.Entries...)
		found.Unsearched = append(found.Unsearched, one.Unsearched...)
		return err == nil, err
	})
}

// Closings yields the recorded closings.
func (c *Client) Closings(ctx context.Context, sequence string) iter.Seq2[Closing, error] {
	return func(yield func(Closing, error) bool) {
		location, err := path(sequence, "closings")
		if err != nil {
			yield(Closing{}, err)
			return
		}
		pages(ctx, c, location, parameters{"limit": strconv.Itoa(page)}, "closings", nil, yield)
	}
}

// definition returns nil without an error if the sequence does not exist.
func (c *Client) definition(ctx context.Context, location string) (Definition, error) {
	stored := Definition{}
	err := c.read(ctx, request{method: http.MethodGet, location: location, needs: has[string]("guarantee")}, &stored)
	if isProblem(err, "unknown-sequence") {
		return nil, nil
	}
	return stored, err
}

// create creates a sequence, and reports whether it did. Another program may have created it meanwhile, or this one, if an
// answer was lost.
func (c *Client) create(ctx context.Context, location string, definition Definition, actor string) (Definition, bool, error) {
	r := jsonRequest(definition, actor)
	r.method, r.location, r.headers["If-None-Match"] = http.MethodPut, location, "*"
	r.needs = has[string]("guarantee")
	created := Definition{}
	err := c.read(ctx, r, &created)
	if !isProblem(err, "precondition-failed") {
		return created, err == nil, err
	}
	stored, failure := c.definition(ctx, location)
	if failure != nil || stored == nil {
		return nil, false, errors.Join(err, failure)
	}
	return stored, false, nil
}

func (c *Client) read(ctx context.Context, r request, value any) error {
	answer, err := c.send(ctx, r)
	if err != nil {
		return err
	}
	return decode(answer.body, value)
}

// asJSON returns the definition as the service would return it, so that values can be compared.
func (d Definition) asJSON() (Definition, error) {
	content, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	wanted := Definition{}
	if err := decode(content, &wanted); err != nil {
		return nil, err
	}
	for field, value := range wanted {
		if value == nil {
			return nil, fmt.Errorf("%w: leave out the field %s, which may have any value", ErrInvalid, field)
		}
	}
	return wanted, nil
}

// decode keeps numbers of untyped fields exact.
func decode(content []byte, value any) error {
	decoder := json.NewDecoder(strings.NewReader(string(content)))
	decoder.UseNumber()
	return decoder.Decode(value)
}

func (f fields) into(value any) error {
	content, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, value)
}

func isProblem(err error, kind string) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Kind() == kind
}

func number(value *int64) string {
	if value == nil {
		return ""
	}
	return strconv.FormatInt(*value, 10)
}
