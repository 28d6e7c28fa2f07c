package dev.numera.azure;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import dev.numera.core.retry.StoreFailure;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A failed request to tables, queues or blobs, and its meaning for the caller.
 *
 * @param status of the answer; 0 if there was none that could be read
 * @param code the error code of the table service; null if there is none, and always for queues and blobs
 */
public record RequestFailure(int status, @Nullable TableErrorCode code, RuntimeException cause) {
    private static final Set<Integer> TRANSIENT = Set.of(0, 408, 429, 500, 502, 503, 504);

    static RequestFailure of(RuntimeException failure, RawResponse answer) {
        TableErrorCode code = failure instanceof TableServiceException service && service.getValue() != null
                ? service.getValue().getErrorCode()
                : null;
        boolean isAnswered = failure instanceof HttpResponseException answered && answered.getResponse() != null;
        int status =
                isAnswered ? ((HttpResponseException) failure).getResponse().getStatusCode() : answer.status();
        // A status of success with an exception means that the body could not be read, so the outcome is unknown.
        return new RequestFailure(status < 400 ? 0 : status, code, failure);
    }

    /**
     * Sends a request and returns its result.
     *
     * @param what names the request in a failure's message, as in "Reading the table t"
     * @throws StoreFailure the client threw any exception; its types are unrelated, and none proves that the request
     *     took effect
     */
    public static <T> T describing(String what, Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException e) {
            throw of(e, new RawResponse()).describedAs(what);
        }
    }

    boolean isTransient() {
        return TRANSIENT.contains(status);
    }

    /** Whether the request certainly wrote nothing: it was never sent, or the service refused it permanently. */
    boolean surelyChangedNothing() {
        return status == 0 ? neverLeft() : !isTransient();
    }

    boolean isTableMissing() {
        return status == 404 && TableErrorCode.TABLE_NOT_FOUND.equals(code);
    }

    /** @param what names the request, as in "Reading the counter a/b of table t" */
    StoreFailure describedAs(String what) {
        return new StoreFailure(what + " failed: " + reason(), isTransient(), cause);
    }

    private String reason() {
        String said = code == null ? "" + status : status + " " + code;
        return switch (status) {
            case 0 ->
                wasTooLate()
                        ? "the time of the call was over before the request was sent. Is the storage account slow, or"
                                + " Numera_DeadlineMillis too short?"
                        : "no answer that could be read ("
                                + innermost().getClass().getSimpleName()
                                + "). Is the storage account up, and NumeraStorage right?";
            case 401, 403 ->
                "the storage account refused the credentials (" + said
                        + "). Check NumeraStorage, or the roles of the app's identity.";
            case 404 ->
                "it does not exist (" + said + "). Check that NumeraStorage names the right account. If rows were lost,"
                        + " first recover them as docs/operations.md describes under Recover: empty tables would let"
                        + " sequences start again. Only if nothing was stored yet, restart the app, which creates the"
                        + " tables; where Numera_CreateTables is false, as on Azure, run 'azd provision'.";
            default -> "the storage account answered " + said + ".";
        };
    }

    /** Whether {@link DeadlinePolicy} stopped the request, because the deadline of its call had passed. */
    private boolean wasTooLate() {
        return isCausedBy(StoreFailure.class::isInstance);
    }

    private boolean neverLeft() {
        return isCausedBy(reason -> reason instanceof ConnectException
                || reason instanceof HttpConnectTimeoutException
                || reason instanceof UnresolvedAddressException
                || reason instanceof StoreFailure);
    }

    private boolean isCausedBy(Predicate<Throwable> kind) {
        for (Throwable reason = cause; reason != null; reason = reason.getCause()) {
            if (kind.test(reason)) {
                return true;
            }
        }
        return false;
    }

    private Throwable innermost() {
        Throwable reason = cause;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        return reason;
    }
}
