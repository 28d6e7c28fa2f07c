// Defines, allocates, reads, and uploads CSV with the client of oapi-codegen. Arguments: the app's URL with /api, an unused scope.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"clients/oapi/api"
)

func main() {
	ctx, scope := context.Background(), os.Args[2]
	client, err := api.NewClientWithResponses(os.Args[1], api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-functions-key", "secret")
		return nil
	}))
	check(err == nil, err)
	guarantee, format, isNew := api.DefinitionChangeGuaranteeGapless, "T-{n:4}", api.PutDefinitionParamsIfNoneMatch("*")
	defined, err := client.PutDefinitionWithResponse(ctx, scope, "ticket", &api.PutDefinitionParams{IfNoneMatch: &isNew},
		api.DefinitionChange{Guarantee: &guarantee, Format: &format})
	check(err == nil && defined.JSON201 != nil, err, defined)

	key := "order-9001"
	allocated, err := client.AllocateWithResponse(ctx, scope, "ticket", &api.AllocateParams{IdempotencyKey: &key})
	check(err == nil && (*allocated.JSON200.Texts)[0] == "T-0001", err, allocated)

	list, column := "list-1", "order"
	sent, err := client.UploadCsvWithBodyWithResponse(ctx, scope, "ticket", &api.UploadCsvParams{IdempotencyKey: &list, KeyColumn: &column},
		"text/csv", strings.NewReader("order,customer\r\norder-1,4711\r\norder-2,4712\r\n"))
	check(err == nil && sent.JSON202.Keys == 2, err, sent)
	read, err := client.ReadBatchWithResponse(ctx, scope, "ticket", sent.JSON202.Id, nil)
	for err == nil && read.JSON202 != nil {
		time.Sleep(100 * time.Millisecond)
		read, err = client.ReadBatchWithResponse(ctx, scope, "ticket", sent.JSON202.Id, nil)
	}
	check(err == nil, err)
	done, err := read.JSON200.AsUploadDone()
	check(err == nil && len(done.Allocations) == 2, err, done)

	ledger, err := client.ReadLedgerWithResponse(ctx, scope, "ticket", nil)
	check(err == nil && len(ledger.JSON200.Entries) == 3, err, ledger)
	entry, err := ledger.JSON200.Entries[0].AsAllocationEntry()
	check(err == nil && entry.Key == key && entry.First == 1, err, entry)
	changes, err := client.ListChangesWithResponse(ctx, scope, "ticket", nil)
	check(err == nil && *changes.JSON200.Changes[0].Kind == "created", err, changes)
	check((*changes.JSON200.Changes[0].Fields)[0].After != nil, changes)
	fmt.Println("Every call was made.")
}

func check(isRight bool, shown ...any) {
	if !isRight {
		panic(fmt.Sprintf("%#v", shown))
	}
}
