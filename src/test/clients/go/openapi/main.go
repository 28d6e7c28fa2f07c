// Defines, allocates, reads, and uploads CSV with the client of openapi-generator. Arguments: the app's URL with /api, an unused scope.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"clients/openapi/api"
)

func main() {
	scope := os.Args[2]
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	configuration.AddDefaultHeader("x-functions-key", "secret")
	client, ctx := api.NewAPIClient(configuration), context.Background()
	definition := api.NewDefinitionChange()
	definition.SetGuarantee("gapless")
	definition.SetFormat("T-{n:4}")
	_, answer, err := client.DefinitionsAPI.PutDefinition(ctx, scope, "ticket").DefinitionChange(*definition).IfNoneMatch("*").Execute()
	check(err == nil && answer.StatusCode == 201, err)

	allocated, _, err := client.NumbersAPI.Allocate(ctx, scope, "ticket").IdempotencyKey("order-9001").Execute()
	check(err == nil && allocated.Texts[0] == "T-0001", err, allocated)

	csv := "order,customer\r\norder-1,4711\r\norder-2,4712\r\n"
	sent, _, err := client.NumbersAPI.UploadCsv(ctx, scope, "ticket").Body(csv).IdempotencyKey("list-1").KeyColumn("order").Execute()
	check(err == nil && sent.Keys == 2, err, sent)
	read, answer, err := client.NumbersAPI.ReadBatch(ctx, scope, "ticket", sent.Id).Execute()
	for err == nil && answer.StatusCode == 202 {
		time.Sleep(100 * time.Millisecond)
		read, answer, err = client.NumbersAPI.ReadBatch(ctx, scope, "ticket", sent.Id).Execute()
	}
	check(err == nil && len(read.UploadDone.Allocations) == 2, err, read)

	ledger, _, err := client.NumbersAPI.ReadLedger(ctx, scope, "ticket").Execute()
	check(err == nil && len(ledger.Entries) == 3 && ledger.Entries[0].AllocationEntry.Key == "order-9001", err, ledger)
	changes, _, err := client.DefinitionsAPI.ListChanges(ctx, scope, "ticket").Execute()
	check(err == nil && *changes.Changes[0].Kind == "created", err, changes)
	check(changes.Changes[0].Fields[0].After != nil, changes)
	fmt.Println("Every call was made.")
}

func check(isRight bool, shown ...any) {
	if !isRight {
		panic(fmt.Sprintf("%#v", shown))
	}
}
