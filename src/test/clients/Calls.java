import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.DefinitionsApi;
import org.openapitools.client.api.NumbersApi;
import org.openapitools.client.api.ServiceApi;
import org.openapitools.client.model.*;

/** Makes every call of the app with the Java client of openapi-generator. Arguments: the app's URL with /api, an unused scope. */
public final class Calls {
    private static final LocalDate TODAY = LocalDate.now(java.time.ZoneOffset.UTC);

    public static void main(String[] arguments) throws Exception {
        String scope = arguments[1];
        ApiClient client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        client.setRequestInterceptor(request -> request.header("x-functions-key", "secret"));
        NumbersApi numbers = new NumbersApi(client);
        DefinitionsApi definitions = new DefinitionsApi(client);
        ServiceApi service = new ServiceApi(client);
        same("healthy", service.health().getStatus().getValue());
        same("3.1.0", service.openApi(null).getOpenapi().getValue());

        DefinitionChange change = new DefinitionChange()
                .guarantee(DefinitionChange.GuaranteeEnum.GAPLESS)
                .format("INV-{yyyy}-{n:6}")
                .resetEvery(DefinitionChange.ResetEveryEnum.YEAR)
                .timeZone("UTC");
        same(List.of(1L, 2L, 3L), definitions.preview(scope, "invoice", change, TODAY).getNumbers());
        Definition defined = definitions.putDefinition(scope, "invoice", change, null, "*", "anna@example.com");
        same((1L << 53) - 1, defined.getMaxValue());
        ApiResponse<Definition> known = definitions.getDefinitionWithHttpInfo(scope, "invoice");
        same(defined, known.getData());
        String etag = known.getHeaders().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase("ETag"))
                .findFirst()
                .orElseThrow()
                .getValue()
                .get(0);
        DefinitionChange described = new DefinitionChange().description("Invoices").contact(null);
        same("Invoices", definitions.patchDefinition(scope, "invoice", described, etag, null).getDescription());

        Allocation taken = numbers.allocate(scope, "invoice", "order-9001", null, null, null, TODAY, null);
        same(List.of("INV-" + TODAY.getYear() + "-000001"), taken.getTexts());
        Allocation again = numbers.allocate(scope, "invoice", null, null, "order-9001", 1, TODAY, false);
        same(1L, again.getFirst());
        same(true, again.getReplayed());
        Allocation reserved = numbers.allocate(scope, "invoice", null, null, "Bestellung-Ä", 2, TODAY, true);
        same(Allocation.StatusEnum.RESERVED, reserved.getStatus());
        Confirmation confirmation = new Confirmation().key("Bestellung-Ä").status(Confirmation.StatusEnum.ISSUED);
        same(3L, numbers.changeStatus(scope, "invoice", new StatusChange(confirmation), null).getLast());
        Voiding voiding = new Voiding().key("order-9001").status(Voiding.StatusEnum.VOID).reason("The payment failed.");
        KeyedAllocation voided = numbers.changeStatus(scope, "invoice", new StatusChange(voiding), "anna@example.com");
        same("The payment failed.", voided.getReason());
        refused(409, "key-void", () -> numbers.allocate(scope, "invoice", "order-9001", null, null, 1, TODAY, null));

        AdvanceRequest advance = new AdvanceRequest().nextAtLeast(48214L).reason("The old system issued them.");
        same(4L, definitions.advance(scope, "invoice", advance, TODAY, null).getPreviousNext());
        same(48214L, numbers.readState(scope, "invoice", TODAY).getNext());
        same(3L, numbers.listPeriods(scope, "invoice", null, null).getPeriods().get(0).getAllocated());
        TextToParse text = new TextToParse().text("INV-" + TODAY.getYear() + "-000003");
        same(3L, numbers.parseText(scope, "invoice", text).getNumber());

        List<LedgerEntry> entries = numbers.readLedger(
                        scope, "invoice", null, null, null, null, null, TODAY, null, null, null, null, null, null, 10, null, null, null, null, null, null)
                .getEntries();
        same("order-9001", entries.get(0).getAllocationEntry().getKey());
        same("Bestellung-Ä", entries.get(1).getAllocationEntry().getKey());
        same(48213L, entries.get(2).getAdvanceEntry().getLast());
        CheckPage check = numbers.checkLedger(scope, "invoice", null, null, TODAY, null, null, null, null);
        same(3L, check.getAllocated());
        same(Gap.KindEnum.ADVANCED, check.getGaps().get(0).getKind());
        List<Change> changes = definitions.listChanges(scope, "invoice", null, null).getChanges();
        same(Change.KindEnum.ADVANCED, changes.get(2).getKind());
        same("gapless", changes.get(0).getFields().get(0).getAfter());

        UploadOfKeys list = new UploadOfKeys().keys(Set.of("order-1")).date(TODAY);
        UploadState sent = numbers.uploadBatch(scope, "order", new Upload(list), "list", null, null, null, null, null, null, null, null, null, null, null, null);
        same(1L, result(numbers, scope, "order", sent).getUploadDone().getAllocations().get(0).getFirst());
        sent = numbers.uploadCsv(scope, "order", "order,customer\r\norder-3,4711\r\n", "file", null, null, "order", null, "comma", null, null, null, null, null, null, null);
        same("order-3", result(numbers, scope, "order", sent).getUploadDone().getAllocations().get(0).getKey());
        DefinitionChange cached = new DefinitionChange().guarantee(DefinitionChange.GuaranteeEnum.CACHED);
        definitions.putDefinition(scope, "plain", cached, null, "*", null);
        sent = numbers.uploadBatch(scope, "plain", new Upload(list), null, null, null, null, null, null, null, null, null, null, null, null, null);
        same(
                "urn:problem-type:numera:key-refused",
                result(numbers, scope, "plain", sent)
                        .getUploadDone()
                        .getAllocations()
                        .get(0)
                        .getProblem()
                        .getType());

        List<ListedSequence> every = definitions
                .listSequences(scope, null, null, new java.util.LinkedHashSet<>(List.of("definition", "state")), null, null)
                .getSequences();
        same(48214L, every.get(0).getState().getNext());
        ImportOfRows rows = new ImportOfRows().addRowsItem(new RowToImport().key("old-1").number(100L));
        ImportState moved = numbers.importNumbers(
                scope, "order", rows, "move", null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
        ImportResult came = numbers.readImport(scope, "order", moved.getId(), null, null, null, null, null, null, null, null);
        while (came.getActualInstance() instanceof ImportPending) {
            Thread.sleep(100);
            came = numbers.readImport(scope, "order", moved.getId(), null, null, null, null, null, null, null, null);
        }
        same(100L, came.getImportDone().getRows().get(0).getImportedRow().getFirst());
        definitions.retire(scope, "invoice", "*", "anna@example.com");
        refused(410, "retired", () -> numbers.allocate(scope, "invoice", "order-9003", null, null, 1, TODAY, null));
        System.out.println("Every call was made.");
    }

    private static UploadResult result(NumbersApi numbers, String scope, String name, UploadState sent) throws Exception {
        UploadResult result = numbers.readBatch(scope, name, sent.getId(), null, null, null, null, null, null, null);
        while (result.getActualInstance() instanceof UploadPending) {
            Thread.sleep(100);
            result = numbers.readBatch(scope, name, sent.getId(), null, null, null, null, null, null, null);
        }
        return result;
    }

    private interface Call {
        Object make() throws ApiException;
    }

    private static void refused(int status, String problem, Call call) {
        try {
            throw new AssertionError("not refused: " + call.make());
        } catch (ApiException e) {
            same(status, e.getCode());
            same(true, e.getResponseBody().contains("urn:problem-type:numera:" + problem));
        }
    }

    private static void same(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + " but got " + actual);
        }
    }
}
