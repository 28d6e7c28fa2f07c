package numera

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

type request struct {
	method, location string
	query            Parameters
	headers          map[string]string
	body             []byte
	err              error
}

type fields map[string]json.RawMessage

type answer struct {
	status     int
	body       []byte
	fields     fields
	isNumera   bool
	retryAfter *time.Duration
}

// send returns an answer with status 2xx; otherwise a *Problem, an *Unavailable, or the error of the context or the
// token.
func (c *Client) send(ctx context.Context, r request) (*answer, error) {
	if r.err != nil {
		return nil, r.err
	}
	client := &http.Client{
		Transport: c.Transport,
		// A redirect would turn POST into GET.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	deadline := c.clock().Now().Add(orDefault(c.TryFor, 2*time.Minute))
	for attempts := 1; ; attempts++ {
		timeout := min(orDefault(c.AnswerWithin, 30*time.Second), deadline.Sub(c.clock().Now()))
		sent, err := c.httpRequest(ctx, r)
		if err != nil {
			return nil, err
		}
		// The error means that no complete answer arrived. The result is unknown; a retry with the same key is safe.
		got, failure := exchange(client, sent, timeout)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if got != nil && got.isOK() {
			return got, nil
		}
		if got != nil && !got.isRetried() {
			return nil, got.problem()
		}
		wait := wait(attempts, got)
		isTimeLeft := c.clock().Now().Add(wait).Before(deadline)
		if isTimeLeft {
			if err := c.clock().Sleep(ctx, wait); err != nil {
				return nil, err
			}
		}
		// The wait may have taken longer, for example if the machine was suspended.
		if !isTimeLeft || !c.clock().Now().Before(deadline) {
			if got != nil && got.isNumera {
				return nil, got.problem()
			}
			return nil, unavailable(r, attempts, got, failure)
		}
	}
}

func (c *Client) clock() Clock {
	if c.Clock == nil {
		return systemClock{}
	}
	return c.Clock
}

func (c *Client) httpRequest(ctx context.Context, r request) (*http.Request, error) {
	var body io.Reader
	if r.body != nil {
		body = bytes.NewReader(r.body)
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, strings.TrimRight(c.URL, "/")+r.location+search(r.query), body)
	if err != nil {
		return nil, err
	}
	for name, value := range r.headers {
		sent.Header.Set(name, value)
	}
	if c.FunctionKey != "" {
		sent.Header.Set("x-functions-key", c.FunctionKey)
	}
	if c.Rights != "" {
		sent.Header.Set("Numera-Rights", c.Rights)
	}
	if c.Token != nil {
		token, err := c.Token(ctx)
		if err != nil {
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

// retryAfter reads seconds or a date; nil if the header is missing or unreadable.
func retryAfter(header string) *time.Duration {
	wait := time.Duration(0)
	if seconds, err := strconv.Atoi(header); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(header); err == nil {
		wait = time.Until(date)
	} else {
		return nil
	}
	wait = max(wait, 0)
	return &wait
}

// wait returns the pause before the next attempt. It has a random part, so that many callers do not retry at the same
// time.
func wait(attempts int, got *answer) time.Duration {
	random := rand.Float64() / 2
	if got != nil && got.retryAfter != nil {
		return min(*got.retryAfter, longestRetryAfter) + time.Duration(random*float64(time.Second))
	}
	longest := longestWait
	if attempts <= 5 {
		longest = firstWait << (attempts - 1)
	}
	return time.Duration((0.5 + random) * float64(longest))
}

func search(query Parameters) string {
	if len(query) == 0 {
		return ""
	}
	values := url.Values{}
	for name, value := range query {
		values.Set(name, fmt.Sprint(value))
	}
	return "?" + strings.ReplaceAll(values.Encode(), "+", "%20")
}

func orDefault(value, other time.Duration) time.Duration {
	if value == 0 {
		return other
	}
	return value
}
