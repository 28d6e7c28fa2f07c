package dev.numera.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.data.tables.models.TableErrorCode;
import org.junit.jupiter.api.Test;

class RequestFailureTest {
    /** On Azure the app makes no tables: whoever restarts it there waits in vain. */
    @Test
    void aTableThatIsMissingIsToldWithWhatToDoWhereTheAppMakesItAndWhereNot() {
        RequestFailure missing =
                new RequestFailure(404, TableErrorCode.TABLE_NOT_FOUND, new IllegalStateException("404"));

        assertEquals(
                "Reading table numeracounters failed: it is not there (404 TableNotFound). If NumeraStorage names the"
                        + " right account, it was removed, or never made. If it held rows, put them back as"
                        + " docs/operations.md says, before a number is taken. Else restart the app, which makes it;"
                        + " where Numera_CreateTables is false, as on Azure, run 'azd provision'.",
                missing.describedAs("Reading table numeracounters").getMessage());
    }
}
