"""Makes every call of the app with the Python client of openapi-generator. Arguments: the app's URL with /api, an unused scope."""

import datetime
import sys
import time

import openapi_client as numera

url, scope = sys.argv[1:]
TODAY = datetime.date.today()

with numera.ApiClient(numera.Configuration(host=url, api_key={"header": "secret"})) as client:
    numbers, definitions, service = numera.NumbersApi(client), numera.DefinitionsApi(client), numera.ServiceApi(client)
    assert service.health().status == "healthy"
    assert service.open_api().openapi == "3.1.0"

    change = numera.DefinitionChange(guarantee="gapless", format="INV-{yyyy}-{n:6}", resetEvery="year", timeZone="UTC")
    previewed = definitions.preview(scope, "invoice", change, var_date=TODAY)
    assert previewed.numbers == [1, 2, 3], previewed
    defined = definitions.put_definition(scope, "invoice", change, if_none_match="*", numera_actor="anna@example.com")
    assert defined.max_value == 2**53 - 1, defined
    answered = definitions.get_definition_with_http_info(scope, "invoice")
    assert answered.data == defined
    patched = definitions.patch_definition(
        scope, "invoice", numera.DefinitionChange(description="Invoices", contact=None), if_match=answered.headers["ETag"])
    assert patched.description == "Invoices" and patched.contact is None, patched

    taken = numbers.allocate(scope, "invoice", idempotency_key="order-9001", var_date=TODAY)
    assert (taken.first, taken.texts) == (1, [f"INV-{TODAY.year}-000001"]), taken
    again = numbers.allocate(scope, "invoice", key="order-9001", var_date=TODAY)
    assert again.first == 1 and again.replayed, again
    reserved = numbers.allocate(scope, "invoice", key="Bestellung-Ä", count=2, var_date=TODAY, reserve=True)
    assert (reserved.first, reserved.last, reserved.status) == (2, 3, "reserved"), reserved
    issued = numbers.change_status(
        scope, "invoice", numera.StatusChange(numera.Confirmation(key="Bestellung-Ä", status="issued")))
    assert issued.status == "issued", issued
    voided = numbers.change_status(
        scope, "invoice", numera.StatusChange(numera.Voiding(key="order-9001", status="void", reason="The payment failed.")))
    assert voided.status == "void", voided
    try:
        numbers.allocate(scope, "invoice", key="order-9001", var_date=TODAY)
        raise AssertionError("a void key got numbers")
    except numera.ApiException as e:
        problem = e.data.actual_instance
        assert isinstance(problem, numera.KeyVoid) and problem.allocation.first == 1, e

    advanced = definitions.advance(
        scope, "invoice", numera.AdvanceRequest(nextAtLeast=48214, reason="The old system issued them."), var_date=TODAY)
    assert (advanced.previous_next, advanced.next) == (4, 48214), advanced
    state = numbers.read_state(scope, "invoice", var_date=TODAY)
    assert state.next == 48214 and state.allocated == 3, state
    assert numbers.list_periods(scope, "invoice").periods[0].next == 48214
    assert numbers.parse_text(scope, "invoice", numera.TextToParse(text=f"INV-{TODAY.year}-000003")).number == 3

    page = numbers.read_ledger(scope, "invoice", var_date=TODAY, limit=10)
    entries = [entry.actual_instance for entry in page.entries]
    assert [entry.kind for entry in entries] == ["allocation", "allocation", "advance"], entries
    assert [entry.first for entry in entries] == [1, 2, 4], entries
    one = numbers.read_ledger(scope, "invoice", key="Bestellung-Ä", limit=10).entries
    assert one[0].actual_instance.texts[0].endswith("-000002"), one
    check = numbers.check_ledger(scope, "invoice", var_date=TODAY)
    assert (check.allocated, check.void, [gap.kind for gap in check.gaps]) == (3, 1, ["advanced"]), check
    changes = definitions.list_changes(scope, "invoice").changes
    assert [change.kind for change in changes] == ["created", "changed", "advanced"], changes
    assert changes[0].fields[0].after == "gapless", changes

    def result(id, name="order"):
        """Polls until the upload is no longer pending."""
        while (upload := numbers.read_batch(scope, name, id).actual_instance).status == "pending":
            time.sleep(0.1)
        return upload

    listed = numera.Upload(numera.UploadOfKeys(keys=["order-1", "order-2"], var_date=TODAY))
    sent = numbers.upload_batch(scope, "order", listed, idempotency_key="list")
    done = result(sent.id)
    assert [(each.key, each.first) for each in done.allocations] == [("order-1", 1), ("order-2", 2)], done
    sent = numbers.upload_csv(scope, "order", "order,customer\r\norder-3,4711\r\n", idempotency_key="file", key_column="order")
    assert [(each.key, each.first) for each in result(sent.id).allocations] == [("order-3", 3)]
    sent = numbers.upload_batch(scope, "order", numera.Upload(numera.UploadOfCount(id="five", count=5)))
    assert [each.count for each in result(sent.id).allocations] == [5]
    definitions.put_definition(scope, "plain", numera.DefinitionChange(guarantee="cached"), if_none_match="*")
    sent = numbers.upload_batch(scope, "plain", numera.Upload(numera.UploadOfKeys(keys=["a"])))
    assert result(sent.id, "plain").allocations[0].problem.type == "urn:problem-type:numera:key-refused"

    every = definitions.list_sequences(scope=scope, var_with=["definition", "state"]).sequences
    assert [(each.name, each.state.next) for each in every][:2] == [("invoice", 48214), ("order", 9)], every
    rows = numera.ImportOfRows(rows=[numera.RowToImport(key="old-1", number=100)])
    moved = numbers.import_numbers(scope, "order", rows, idempotency_key="move")
    while (came := numbers.read_import(scope, "order", moved.id).actual_instance).status == "pending":
        time.sleep(0.1)
    assert came.rows[0].actual_instance.first == 100, came
    definitions.retire(scope, "invoice", if_match="*", numera_actor="anna@example.com")
    try:
        numbers.allocate(scope, "invoice", key="order-9003", var_date=TODAY)
        raise AssertionError("a retired sequence allocated numbers")
    except numera.ApiException as e:
        assert e.status == 410 and isinstance(e.data, numera.Retired), e
print("Every call was made.")
