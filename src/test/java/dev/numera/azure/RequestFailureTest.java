package dev.numera.azure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableErrorCode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import org.junit.jupiter.api.Test;

class RequestFailureTest {
    /** The app creates no tables on Azure, so a restart would not help there. */
    @Test
    void missingTableIsReportedWithTheFixForAzureAndElsewhere() {
        RequestFailure missing =
                new RequestFailure(404, TableErrorCode.TABLE_NOT_FOUND, new IllegalStateException("404"));

        assertEquals(
                "Reading table numeracounters failed: it does not exist (404 TableNotFound). Check that NumeraStorage"
                        + " names the right account. If rows were lost, first recover them as docs/operations.md"
                        + " describes under Recover: empty tables would let sequences start again. Only if nothing was"
                        + " stored yet, restart the app, which creates the tables; where Numera_CreateTables is false,"
                        + " as on Azure, run 'azd provision'.",
                missing.describedAs("Reading table numeracounters").getMessage());
    }

    /** A request that was never sent can be repeated at once, and its caller can be told that nothing was consumed. */
    @Test
    void requestThatNeverLeftHasChangedNothing() {
        assertTrue(failed(new ConnectException("refused")).surelyChangedNothing());
        assertTrue(failed(new HttpConnectTimeoutException("no connection")).surelyChangedNothing());
        assertTrue(failed(new UnresolvedAddressException()).surelyChangedNothing());
        assertFalse(failed(new HttpTimeoutException("no answer")).surelyChangedNothing());
        assertFalse(failed(new IOException("reset")).surelyChangedNothing());
    }

    private static RequestFailure failed(Exception reason) {
        return RequestFailure.of(new IllegalStateException(new RuntimeException(reason)), new RawResponse());
    }

    /** Without a version, the client would send the change without a condition. */
    @Test
    void nothingIsChangedWithoutAVersion() {
        TableEntity row = new TableEntity("partition", "row");
        assertThrows(IllegalStateException.class, () -> Table.changing(row, null));
        assertThrows(IllegalStateException.class, () -> Table.changing(row, ""));
        assertThrows(IllegalStateException.class, () -> Table.deleting(row, null));
        assertThrows(IllegalStateException.class, () -> new StoredRow(TableNames.COUNTERS, row).version());
    }
}
