// Plays each scene with the client for Go: scenes URL scenes.json
package main

import (
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
		FunctionKey, Rights, TokenServer                                     string
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
		result, err := play(client(strings.ReplaceAll(os.Args[1], "{scene}", fmt.Sprint(i)), scene, clock), scene.Call)
		outcome := outcome(result, err)
		outcome["waits"] = clock.waits
		line, err := json.Marshal(outcome)
		check(err)
		fmt.Println(string(line))
	}
}

func client(url string, scene scene, clock *clock) *numera.Client {
	options := scene.Options
	client := &numera.Client{
		URL:          url,
		FunctionKey:  options.FunctionKey,
		Rights:       options.Rights,
		TryFor:       seconds(options.TryForSeconds),
		AnswerWithin: seconds(options.AnswerWithinSeconds),
		WaitFor:      seconds(options.WaitForSeconds),
		// Without keep-alive, Go does not resend a request whose reused connection turns out to be closed.
		Transport: &http.Transport{DisableKeepAlives: true},
		Clock:     clock,
	}
	if options.TokenServer != "" {
		client.Token = func(context.Context) (string, error) { return tokenFrom(url + options.TokenServer) }
	}
	return client
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

func play(client *numera.Client, call []any) (any, error) {
	ctx, sequence, parameters := context.Background(), call[1].(string), numera.Parameters{}
	if last, ok := call[len(call)-1].(map[string]any); ok {
		parameters = last
	}
	if _, ok := parameters["onlyRefused"]; ok {
		delete(parameters, "onlyRefused")
		parameters["outcome"] = "refused"
	}
	switch call[0] {
	case "next":
		key, _ := parameters["key"].(string)
		delete(parameters, "key")
		return client.Next(ctx, sequence, key, parameters)
	case "reserve":
		return client.Reserve(ctx, sequence, call[2].(string), parameters)
	case "confirm":
		return client.Confirm(ctx, sequence, call[2].(string), parameters)
	case "voidNumbers":
		return client.VoidNumbers(ctx, sequence, call[2].(string), call[3].(string), parameters)
	case "ledger":
		return all(client.Ledger(ctx, sequence, parameters))
	case "batch":
		id := call[2].(string)
		if csv, ok := call[3].(string); ok {
			return all(client.BatchCSV(ctx, sequence, id, csv, parameters))
		}
		return all(client.Batch(ctx, sequence, id, keys(call[3].([]any)), parameters))
	case "importNumbers":
		id := call[2].(string)
		if csv, ok := call[3].(string); ok {
			return all(client.ImportCSV(ctx, sequence, id, csv, parameters))
		}
		return all(client.ImportNumbers(ctx, sequence, id, rows(call[3].([]any)), parameters))
	}
	panic(call[0])
}

func outcome(result any, err error) map[string]any {
	var problem *numera.Problem
	var unavailable *numera.Unavailable
	switch {
	case errors.As(err, &problem):
		fields := map[string]any{"status": problem.Status, "detail": problem.Detail(), "fields": problem.Fields, "kind": nil}
		if problem.Kind() != "" {
			fields["kind"] = problem.Kind()
		}
		if problem.RetryAfter != nil {
			fields["retryAfterSeconds"] = int(problem.RetryAfter.Seconds())
		}
		return map[string]any{"problem": fields}
	case errors.As(err, &unavailable):
		return map[string]any{"unavailable": map[string]any{"attempts": unavailable.Attempts, "status": unavailable.Status}}
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

func keys(list []any) []string {
	keys := []string{}
	for _, key := range list {
		keys = append(keys, key.(string))
	}
	return keys
}

func rows(list []any) []numera.Parameters {
	rows := []numera.Parameters{}
	for _, row := range list {
		rows = append(rows, row.(map[string]any))
	}
	return rows
}

func seconds(number float64) time.Duration { return time.Duration(number * float64(time.Second)) }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
