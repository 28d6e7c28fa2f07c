package numera

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	firstWait         = time.Second
	longestWait       = 30 * time.Second
	longestRetryAfter = 60 * time.Second
	lastAttempt       = time.Second
	// keyHeader is in lower case, because net/http itself would resend a request with an Idempotency-Key when a connection is
	// closed. Such an attempt would not be counted.
	keyHeader = "idempotency-key"
)

// Clock tells the time and pauses. A pause ends early with an error when the context ends.
type Clock interface {
	Now() time.Time
	Sleep(context.Context, time.Duration) error
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

// parameters are the parameters of an HTTP call. Empty ones are not sent.
type parameters map[string]string

type request struct {
	method, location string
	query            parameters
	headers          map[string]string
	body             []byte
	// key is the key that the answer must contain; empty for any answer.
	key string
	// remedy states what to do without an answer; empty means the same call.
	remedy string
	err    error
	// needs fails for an object of another server. Each request states it by a field that each of its answers has.
	needs func(fields) error
}

type fields map[string]json.RawMessage

type answer struct {
	status     int
	body       []byte
	fields     fields
	isNumera   bool
	retryAfter *time.Duration
	attempts   int
}

// send returns an answer with status 2xx; otherwise a *Problem, an *Unavailable, or the error of a cancelled context or
// of the token.
func (c *Client) send(ctx context.Context, r request) (*answer, error) {
	if r.err != nil {
		return nil, r.err
	}
	clock := c.config.Clock
	deadline := clock.Now().Add(c.config.TryFor)
	if of, has := ctx.Deadline(); has && of.Before(deadline) {
		deadline = of
	}
	for attempts := 1; ; attempts++ {
		timeout := min(c.config.AnswerWithin, deadline.Sub(clock.Now()))
		sent, err := c.httpRequest(ctx, r)
		if err != nil {
			return nil, err
		}
		// The error means that no complete answer arrived. The result is unknown; a retry with the same key is safe.
		got, failure := exchange(c.http, sent, timeout)
		if ctx.Err() != nil {
			return nil, ended(ctx, r, attempts)
		}
		if got != nil && got.isOK() && !r.isAnsweredBy(got) {
			got, failure = nil, errors.New("the answer is for another key")
		}
		if got != nil && got.isOK() {
			if failure = r.needs(got.fields); failure == nil {
				got.attempts = attempts
				return got, nil
			}
			got = nil
		}
		if got != nil && !got.isRetried() {
			return nil, c.problem(got)
		}
		wait, isTimeLeft := wait(attempts, got, deadline.Sub(clock.Now()))
		isTimeLeft = isTimeLeft && !isOfTLS(failure)
		if isTimeLeft {
			c.announce(Retry{Method: r.method, Location: r.location, Attempts: attempts, Wait: wait, Status: got.statusOrZero(), Cause: failure})
			if err := clock.Sleep(ctx, wait); err != nil {
				return nil, ended(ctx, r, attempts)
			}
		}
		// The wait may have taken longer, for example if the machine was suspended.
		if !isTimeLeft || !clock.Now().Before(deadline) {
			if got != nil && got.isNumera {
				return nil, got.problem()
			}
			return nil, unavailable(r, attempts, got, failure)
		}
	}
}

// has fails if the answer does not have the field, or has it with another type.
func has[T any](field string) func(fields) error {
	return func(answer fields) error {
		var value *T
		if err := json.Unmarshal(answer[field], &value); err != nil || value == nil {
			return fmt.Errorf("the answer is of another server: it has no valid %q", field)
		}
		return nil
	}
}

// isAnsweredBy reports whether the answer contains the key of the request. It accepts any answer to a key beyond ASCII, which
// Numera stores in NFC: the standard library cannot convert to this form.
func (r request) isAnsweredBy(got *answer) bool {
	var key string
	_ = json.Unmarshal(got.fields["key"], &key)
	return key == r.key || !plain.MatchString(r.key)
}

// ended returns the error of a call whose context has ended: of its deadline, as of every other one, *Unavailable.
func ended(ctx context.Context, r request, attempts int) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return unavailable(r, attempts, nil, ctx.Err())
	}
	return ctx.Err()
}

func (c *Client) announce(retry Retry) {
	if c.config.OnRetry != nil {
		c.config.OnRetry(retry)
	}
}

// isOfTLS reports whether a retry would fail like this again: a wrong certificate, or a server without TLS.
func isOfTLS(failure error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	return errors.As(failure, &certificate) || errors.As(failure, &record) || errors.As(failure, &alert) ||
		errors.Is(failure, http.ErrSchemeMismatch)
}

// problem returns the problem of an answer. The host of the app answers an unknown path with an empty 404.
func (c *Client) problem(got *answer) *Problem {
	problem := got.problem()
	if got.status == http.StatusNotFound && !got.isNumera {
		problem.Fields["detail"] = fmt.Sprintf(
			"There is no Numera at %s. The address is such as https://APP.azurewebsites.net/api.", c.config.URL)
	}
	return problem
}

func (c *Client) httpRequest(ctx context.Context, r request) (*http.Request, error) {
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, c.config.URL+r.location+search(r.query), body)
	if err != nil {
		return nil, err
	}
	sent.Header.Set("User-Agent", "numera-go/"+version)
	for name, value := range r.headers {
		sent.Header[name] = []string{value}
	}
	if c.config.FunctionKey != "" {
		sent.Header.Set("x-functions-key", c.config.FunctionKey)
	}
	if c.config.Rights != "" {
		sent.Header.Set("Numera-Rights", c.config.Rights)
	}
	if c.config.Token != nil {
		token, err := c.config.Token(ctx)
		if err != nil {
			return nil, err
		}
		if err := requireHeader("token", token); err != nil {
			return nil, err
		}
		sent.Header.Set("Authorization", "Bearer "+token)
	}
	return sent, nil
}

func exchange(client *http.Client, sent *http.Request, timeout time.Duration) (*answer, error) {
	ctx, cancel := context.WithTimeout(sent.Context(), timeout)
	defer cancel()
	response, err := client.Do(sent.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	got := &answer{status: response.StatusCode, body: body, retryAfter: retryAfter(response.Header.Get("Retry-After"))}
	isProblem := strings.HasPrefix(response.Header.Get("Content-Type"), "application/problem+json")
	if got.isOK() || isProblem {
		if err := json.Unmarshal(body, &got.fields); err != nil {
			return nil, err
		}
		if got.fields == nil {
			return nil, errors.New("the answer is no JSON object")
		}
		got.isNumera = isProblem && got.problem().Kind() != ""
	}
	return got, nil
}

func (a *answer) statusOrZero() int {
	if a == nil {
		return 0
	}
	return a.status
}

func (a *answer) isOK() bool { return a.status >= 200 && a.status < 300 }

func (a *answer) isRetried() bool {
	if a.isNumera {
		return a.status == http.StatusServiceUnavailable && a.retryAfter != nil
	}
	switch a.status {
	case 408, 429, 500, 502, 503, 504:
		return true
	}
	return false
}

func (a *answer) problem() *Problem {
	problem := &Problem{Status: a.status, Fields: map[string]any{}, RetryAfter: a.retryAfter}
	if a.fields != nil {
		// The body was parsed as an object before, so this cannot fail.
		_ = problem.read(a.body)
	} else if len(a.body) > 0 {
		problem.Fields["detail"] = string(a.body[:min(len(a.body), 500)])
	}
	if a.status == http.StatusUnauthorized {
		problem.Fields["detail"] = "The function key or token is missing, or is not accepted."
	}
	return problem
}

// retryAfter reads seconds or a date; nil if the header is missing or anything else.
func retryAfter(header string) *time.Duration {
	wait := time.Duration(0)
	if wholeSeconds.MatchString(header) {
		// Too many digits are the greatest number as well. It is limited because a duration counts nanoseconds.
		seconds, _ := strconv.ParseInt(header, 10, 64)
		wait = time.Duration(min(seconds, math.MaxInt32)) * time.Second
	} else if date, err := time.Parse(http.TimeFormat, header); err == nil {
		wait = time.Until(date)
	} else {
		return nil
	}
	wait = max(wait, 0)
	return &wait
}

// wait returns the pause before the next attempt, and whether time is left for one. The pause has a random part, so that
// many callers do not retry at the same time. The last pause is shortened, unless the server stated it.
func wait(attempts int, got *answer, left time.Duration) (time.Duration, bool) {
	random := rand.Float64() / 2
	if got != nil && got.retryAfter != nil {
		pause := min(*got.retryAfter, longestRetryAfter) + time.Duration(random*float64(time.Second))
		return pause, pause < left
	}
	longest := longestWait
	if attempts <= 5 {
		longest = firstWait << (attempts - 1)
	}
	pause := min(time.Duration((0.5+random)*float64(longest)), left-lastAttempt)
	return pause, pause >= 0
}

func search(query parameters) string {
	values := url.Values{}
	for name, value := range query {
		if value != "" {
			values.Set(name, value)
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "?" + strings.ReplaceAll(values.Encode(), "+", "%20")
}

func orDefault(value, other time.Duration) time.Duration {
	if value == 0 {
		return other
	}
	return value
}
