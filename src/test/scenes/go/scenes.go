// Plays each scene with the client for Go: scenes URL scenes.json
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"strings"
	"time"

	numera "numera.dev/client"
)

type scene struct {
	Options struct {
		URL, FunctionKey, Rights, TokenServer                                string
		TryForSeconds, AnswerWithinSeconds, WaitForSeconds, OversleepSeconds float64
	}
	Call []any
}

type clock struct {
	oversleep, slept time.Duration
	waits            []float64
}

func (c *clock) Now() time.Time { return time.Now().Add(c.slept) }

func (c *clock) Sleep(_ context.Context, pause time.Duration) error {
	c.slept += pause + c.oversleep
	c.waits = append(c.waits, pause.Seconds())
	time.Sleep(10 * time.Millisecond)
	return nil
}

func main() {
	content, err := os.ReadFile(os.Args[2])
	check(err)
	var scenes []scene
	check(json.Unmarshal(content, &scenes))
	for i, scene := range scenes {
		clock := &clock{oversleep: seconds(scene.Options.OversleepSeconds), waits: []float64{}}
		var result any
		retries := [][]any{}
		onRetry := func(retry numera.Retry) { retries = append(retries, []any{retry.Attempts, reason(retry)}) }
		client, err := client(strings.ReplaceAll(os.Args[1], "{scene}", fmt.Sprint(i)), scene, clock, onRetry)
		if err == nil {
			result, err = play(client, scene.Call)
		}
		outcome := outcome(result, err)
		outcome["waits"] = clock.waits
		outcome["retries"] = retries
		line, err := json.Marshal(outcome)
		check(err)
		fmt.Println(string(line))
	}
}

func client(url string, scene scene, clock *clock, onRetry func(numera.Retry)) (*numera.Client, error) {
	options := scene.Options
	if options.URL != "" {
		url = options.URL
	}
	config := numera.Config{
		URL:          url,
		FunctionKey:  options.FunctionKey,
		Rights:       options.Rights,
		TryFor:       seconds(options.TryForSeconds),
		AnswerWithin: seconds(options.AnswerWithinSeconds),
		WaitFor:      seconds(options.WaitForSeconds),
		Clock:        clock,
		OnRetry:      onRetry,
	}
	if options.TokenServer != "" {
		config.Token = func(context.Context) (string, error) { return tokenFrom(url + options.TokenServer) }
	}
	return numera.New(config)
}

func reason(retry numera.Retry) any {
	if retry.Cause != nil {
		return "lost"
	}
	return retry.Status
}

var errNoToken = errors.New("no token")

func tokenFrom(server string) (string, error) {
	answer, err := http.Get(server)
	check(err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", errNoToken
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	check(json.NewDecoder(answer.Body).Decode(&token))
	return token.AccessToken, nil
}

// named returns the named parameters of a call, which are its last one. A definition is a parameter of its own.
func named(call []any) map[string]any {
	named, _ := call[len(call)-1].(map[string]any)
	if call[0] == "define" && len(call) < 4 {
		return nil
	}
	return named
}

// options reads the named parameters of a call. A name that the type does not know is an error.
func options[T any](call []any) *T {
	named := named(call)
	if named == nil {
		return nil
	}
	content, err := json.Marshal(named)
	check(err)
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	options := new(T)
	check(decoder.Decode(options))
	return options
}

func play(client *numera.Client, call []any) (any, error) {
	ctx, sequence := context.Background(), call[1].(string)
	if tryFor, has := named(call)["tryForSeconds"].(float64); has {
		// The time of a call is the deadline of its context.
		limited, stop := context.WithTimeout(ctx, seconds(tryFor))
		defer stop()
		ctx = limited
		delete(named(call), "tryForSeconds")
	}
	text := func(i int) string { return call[i].(string) }
	switch call[0] {
	case "next":
		return client.Next(ctx, sequence, text(2), options[numera.NextOptions](call))
	case "nextWithoutKey":
		return client.NextWithoutKey(ctx, sequence, options[numera.NextOptions](call))
	case "reserve":
		return client.Reserve(ctx, sequence, text(2), options[numera.NextOptions](call))
	case "confirm":
		return client.Confirm(ctx, sequence, text(2), options[numera.ChangeOptions](call))
	case "voidNumbers":
		return client.VoidNumbers(ctx, sequence, text(2), text(3), options[numera.ChangeOptions](call))
	case "define":
		return client.Define(ctx, sequence, call[2].(map[string]any), options[numera.ChangeOptions](call))
	case "state":
		date, _ := named(call)["date"].(string)
		return client.State(ctx, sequence, date)
	case "check":
		return client.Check(ctx, sequence, options[numera.CheckFilter](call))
	case "parse":
		return client.Parse(ctx, sequence, text(2))
	case "find":
		scope, _ := named(call)["scope"].(string)
		return client.Find(ctx, sequence, scope)
	case "closings":
		return all(client.Closings(ctx, sequence))
	case "ledger":
		return all(client.Ledger(ctx, sequence, options[numera.LedgerFilter](call)))
	case "batch":
		return all(client.Batch(ctx, sequence, text(2), list[string](call[3]), options[numera.BatchOptions](call)))
	case "importNumbers":
		rows := list[numera.RowToImport](call[3])
		return all(client.ImportNumbers(ctx, sequence, text(2), rows, options[numera.ImportOptions](call)))
	}
	panic(call[0])
}

func outcome(result any, err error) map[string]any {
	var problem *numera.Problem
	var unavailable *numera.Unavailable
	var difference *numera.Difference
	switch {
	case errors.As(err, &problem):
		fields := map[string]any{"status": problem.Status, "detail": nil, "fields": problem.Fields, "kind": nil}
		if problem.Detail() != "" {
			fields["detail"] = problem.Detail()
		}
		if problem.Kind() != "" {
			fields["kind"] = problem.Kind()
		}
		if problem.RetryAfter != nil {
			fields["retryAfterSeconds"] = int(problem.RetryAfter.Seconds())
		}
		return map[string]any{"problem": fields}
	case errors.As(err, &unavailable):
		message := strings.TrimPrefix(unavailable.Error(), "numera: ")
		return map[string]any{"unavailable": map[string]any{"attempts": unavailable.Attempts, "status": unavailable.Status, "message": message}}
	case errors.As(err, &difference):
		names := []string{}
		for name := range difference.Fields {
			names = append(names, name)
		}
		return map[string]any{"difference": names}
	case errors.Is(err, errNoToken):
		return map[string]any{"noToken": true}
	case err != nil:
		return map[string]any{"invalid": true}
	}
	return map[string]any{"result": result}
}

func all[T any](rows iter.Seq2[T, error]) ([]T, error) {
	list := []T{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, nil
}

func list[T any](values any) []T {
	content, err := json.Marshal(values)
	check(err)
	var list []T
	check(json.Unmarshal(content, &list))
	return list
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
