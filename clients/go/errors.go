package numera

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const numeras = "urn:problem-type:numera:"

// Problem is a refusal: the same request would not succeed now.
type Problem struct {
	// Status is the HTTP status.
	Status int
	// Fields contains all fields of the answer.
	Fields map[string]any
	// allocation is the field of that name in its original form, because numbers in Fields are exact only up to 2^53.
	allocation json.RawMessage
	// RetryAfter is the time after which a retry may succeed; nil if the answer states none.
	RetryAfter *time.Duration
}

// Error returns the detail.
func (p *Problem) Error() string {
	if p.Detail() == "" {
		return fmt.Sprintf("numera: the server answered %d", p.Status)
	}
	return "numera: " + p.Detail()
}

// Kind is the last part of Numera's type, such as exhausted; empty in another server's answer.
func (p *Problem) Kind() string {
	text, _ := p.Fields["type"].(string)
	kind, isNumeras := strings.CutPrefix(text, numeras)
	if !isNumeras {
		return ""
	}
	return kind
}

// Detail states what was wrong, where, and what to do.
func (p *Problem) Detail() string {
	detail, _ := p.Fields["detail"].(string)
	return detail
}

// Allocation is the allocation of the key; nil if the problem contains none.
func (p *Problem) Allocation() *Allocation {
	allocation := new(Allocation)
	if p.Fields["allocation"] == nil || json.Unmarshal(p.allocation, allocation) != nil {
		return nil
	}
	return allocation
}

// UnmarshalJSON reads the problem of a key or a row.
func (p *Problem) UnmarshalJSON(content []byte) error {
	status := struct{ Status int }{}
	if err := json.Unmarshal(content, &status); err != nil {
		return err
	}
	p.Status = status.Status
	return p.read(content)
}

func (p *Problem) read(content []byte) error {
	exact := struct{ Allocation json.RawMessage }{}
	if err := json.Unmarshal(content, &exact); err != nil {
		return err
	}
	p.allocation = exact.Allocation
	return json.Unmarshal(content, &p.Fields)
}

// MarshalJSON writes the fields.
func (p *Problem) MarshalJSON() ([]byte, error) { return json.Marshal(p.Fields) }

// Unavailable means that no usable answer arrived before the deadline, so it is unknown whether a number was allocated.
// With a key, the same call returns it later.
type Unavailable struct {
	// Attempts is how often the call was sent; 0 if each call was answered, but the list was not done in time.
	Attempts int
	// Status is the status of the last answer; 0 if none arrived.
	Status  int
	message string
	cause   error
}

func (u *Unavailable) Error() string { return "numera: " + u.message }

func (u *Unavailable) Unwrap() error { return u.cause }

func unavailable(r request, attempts int, got *answer, failure error) *Unavailable {
	last := fmt.Sprint("The last failure: ", failure)
	if got != nil {
		last = fmt.Sprintf("The last answer was %d.", got.status)
	}
	message := fmt.Sprintf("%s %s got no usable answer in %d attempts. %s %s",
		r.method, r.location, attempts, cmp.Or(r.remedy, "Make the same call later."), last)
	return &Unavailable{Attempts: attempts, Status: got.statusOrZero(), message: message, cause: failure}
}
