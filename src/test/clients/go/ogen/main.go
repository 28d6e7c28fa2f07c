// Defines, allocates, reads, and uploads CSV with the client of ogen. Arguments: the app's URL with /api, an unused scope.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"clients/ogen/api"
)

type key struct{}

func (key) Header(context.Context, api.OperationName) (api.Header, error) {
	return api.Header{APIKey: "secret"}, nil
}

// withLength sends each body with its length. The client would send CSV in chunks, which the Azure Functions host does not forward.
type withLength struct{}

func (withLength) Do(request *http.Request) (*http.Response, error) {
	if request.Body != http.NoBody {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	return http.DefaultClient.Do(request)
}

func main() {
	ctx, scope := context.Background(), os.Args[2]
	client, err := api.NewClient(os.Args[1], key{}, api.WithClient(withLength{}))
	check(err == nil, err)
	defined, err := client.PutDefinition(ctx, &api.DefinitionChange{
		Guarantee: api.NewOptNilDefinitionChangeGuarantee(api.DefinitionChangeGuaranteeGapless),
		Format:    api.NewOptNilString("T-{n:4}"),
	}, api.PutDefinitionParams{Scope: scope, Name: "ticket", IfNoneMatch: api.NewOptPutDefinitionIfNoneMatch("*")})
	_, isNew := defined.(*api.PutDefinitionCreated)
	check(err == nil && isNew, err, defined)

	answer, err := client.Allocate(ctx, api.AllocateParams{Scope: scope, Name: "ticket", IdempotencyKey: api.NewOptString("order-9001")})
	allocated, isAllocated := answer.(*api.AllocationHeaders)
	check(err == nil && isAllocated && allocated.Response.Texts[0] == "T-0001", err, answer)

	csv := api.UploadCsvReq{Data: strings.NewReader("order,customer\r\norder-1,4711\r\norder-2,4712\r\n")}
	uploaded, err := client.UploadCsv(ctx, csv,
		api.UploadCsvParams{Scope: scope, Name: "ticket", IdempotencyKey: api.NewOptString("list-1"), KeyColumn: api.NewOptString("order")})
	sent, isSent := uploaded.(*api.UploadStateHeaders)
	check(err == nil && isSent && sent.Response.Keys == 2, err, uploaded)
	read, err := client.ReadBatch(ctx, api.ReadBatchParams{Scope: scope, Name: "ticket", ID: sent.Response.ID})
	for _, isPending := read.(*api.ReadBatchAcceptedHeaders); err == nil && isPending; _, isPending = read.(*api.ReadBatchAcceptedHeaders) {
		time.Sleep(100 * time.Millisecond)
		read, err = client.ReadBatch(ctx, api.ReadBatchParams{Scope: scope, Name: "ticket", ID: sent.Response.ID})
	}
	result, isRead := read.(*api.UploadResultHeaders)
	check(err == nil && isRead && len(result.Response.UploadDone.Allocations) == 2, err, read)

	ledger, err := client.ReadLedger(ctx, api.ReadLedgerParams{Scope: scope, Name: "ticket"})
	page, isPage := ledger.(*api.LedgerPageHeaders)
	check(err == nil && isPage && len(page.Response.Entries) == 3, err, ledger)
	check(page.Response.Entries[0].AllocationEntry.Key == "order-9001", page)
	listed, err := client.ListChanges(ctx, api.ListChangesParams{Scope: scope, Name: "ticket"})
	changes, isListed := listed.(*api.ChangePageHeaders)
	check(err == nil && isListed && changes.Response.Changes[0].Kind.Value == "created", err, listed)
	check(len(changes.Response.Changes[0].Fields[0].After) > 0, listed)
	fmt.Println("Every call was made.")
}

func check(isRight bool, shown ...any) {
	if !isRight {
		panic(fmt.Sprintf("%#v", shown))
	}
}
