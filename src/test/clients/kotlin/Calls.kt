// Defines, allocates, checks the ledger and lists changes with the client of openapi-generator. Arguments: the app's URL with /api, an
// unused scope. This client sends CSV as JSON, and cannot read fields with several types: a ledger entry, an upload's result.
import org.openapitools.client.apis.DefinitionsApi
import org.openapitools.client.apis.NumbersApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.models.Change
import org.openapitools.client.models.DefinitionChange

fun main(arguments: Array<String>) {
    val (url, scope) = arguments
    ApiClient.apiKey["x-functions-key"] = "secret"
    val definitions = DefinitionsApi(url)
    val numbers = NumbersApi(url)
    val definition = DefinitionChange(guarantee = DefinitionChange.Guarantee.gapless, format = "T-{n:4}")
    definitions.putDefinition(scope, "ticket", definition, ifNoneMatch = DefinitionsApi.IfNoneMatchPutDefinition.Star)
    repeat(2) {
        check(numbers.allocate(scope, "ticket", idempotencyKey = "order-9001").texts == listOf("T-0001"))
    }
    check(numbers.allocate(scope, "ticket", idempotencyKey = "order-9002", count = 2).texts == listOf("T-0002", "T-0003"))

    val checked = numbers.checkLedger(scope, "ticket")
    check(checked.allocated == 3L && checked.gaps.isEmpty())
    val created = definitions.listChanges(scope, "ticket").changes.single()
    check(created.kind == Change.Kind.created && created.fields!!.first().after is String)
    println("Every call was made.")
}
