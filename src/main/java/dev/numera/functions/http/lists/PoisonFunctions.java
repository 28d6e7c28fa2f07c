package dev.numera.functions.http.lists;

import static com.microsoft.azure.functions.HttpMethod.DELETE;
import static com.microsoft.azure.functions.HttpMethod.GET;
import static com.microsoft.azure.functions.HttpMethod.POST;
import static com.microsoft.azure.functions.annotation.AuthorizationLevel.FUNCTION;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.functions.HttpRequestMessage;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import dev.numera.core.model.FieldParsers;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.retry.StoreFailure;
import dev.numera.functions.App;
import dev.numera.functions.Queues;
import dev.numera.functions.http.HttpCall;
import dev.numera.functions.http.Need;
import dev.numera.functions.http.Right;
import dev.numera.functions.queue.PoisonQueue;
import dev.numera.functions.queue.QueueMessage;
import dev.numera.json.Fields;
import dev.numera.json.RequestBody;
import java.time.LocalDate;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The calls for operators: listing, requeuing and dropping failed messages. */
public final class PoisonFunctions {
    /** The text before the number in a log line. The alert rule and the workbook look for it. */
    public static final String FOUND = "Messages in the queue " + Queues.POISON + ": ";

    private static final Logger LOG = Logger.getLogger(PoisonFunctions.class.getName());
    private static final String POISON = "poison";

    private final App app;

    public PoisonFunctions(App app) {
        this.app = app;
    }

    /** {@code GET /poison}: the failed messages, and why each failed. */
    @FunctionName("ListPoison")
    public HttpResponseMessage listPoison(
            @HttpTrigger(name = "request", methods = GET, route = POISON, authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request) {
        return HttpCall.answer(app, request, Need.withoutScope(Right.OPERATE), call -> {
            call.queryAlone();
            PoisonQueue poison = new PoisonQueue(app);
            return call.ok(new Fields()
                    .putEach("messages", poison.look(call.share()), PoisonFunctions::json)
                    .put("approximateCount", poison.approximateCount()));
        });
    }

    private static ObjectNode json(PoisonQueue.Look look) {
        return new Fields()
                .put("id", look.message().id())
                .put("insertedAt", look.message().insertedAt())
                .put("expiresAt", look.message().expiresAt())
                .put("text", look.content())
                .put("canRequeue", look.canRequeue())
                .put("problem", look.problem().orElse(null))
                .json();
    }

    /** {@code POST /poison/{id}/requeue}: processes a message again, with the date that its sender meant. */
    @FunctionName("RequeuePoison")
    public HttpResponseMessage requeuePoison(
            @HttpTrigger(name = "request", methods = POST, route = POISON + "/{id}/requeue", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("id") String id) {
        return HttpCall.answer(app, request, Need.withoutScope(Right.OPERATE), call -> {
            call.query();
            ObjectNode body = call.fields(QueueMessage.DATE);
            LocalDate date = body.has(QueueMessage.DATE)
                    ? FieldParsers.date(QueueMessage.DATE, RequestBody.requireText(body, QueueMessage.DATE))
                    : null;
            new PoisonQueue(app).putBack(id, date);
            return call.empty(202);
        });
    }

    /** {@code DELETE /poison/{id}}: drops a message. */
    @FunctionName("DropPoison")
    public HttpResponseMessage dropPoison(
            @HttpTrigger(name = "request", methods = DELETE, route = POISON + "/{id}", authLevel = FUNCTION)
                    HttpRequestMessage<Optional<String>> request,
            @BindingName("id") String id) {
        return HttpCall.answer(app, request, Need.withoutScope(Right.OPERATE), call -> {
            call.queryAlone();
            new PoisonQueue(app).drop(id);
            return call.empty(204);
        });
    }

    /**
     * Logs every quarter of an hour how many messages the queue {@value Queues#POISON} contains, if any. Azure has no
     * metric for the length of a single queue. Each successful run of this function also shows the operator's alert
     * that the app is alive and reaches its storage.
     *
     * @throws ProblemException {@code misconfigured} or {@code storage-unavailable}
     * @throws StoreFailure the queue cannot be queried
     */
    @FunctionName("WatchPoison")
    public void watchPoison(@TimerTrigger(name = "timer", schedule = "0 4,19,34,49 * * * *") String timer) {
        app.requireHealthy();
        long found = app.failedMessages();
        if (found > 0) {
            LOG.log(Level.WARNING, FOUND + found);
        }
    }
}
