package dev.numera.functions.http.lists;

import dev.numera.functions.http.Query;
import dev.numera.functions.http.Requests;
import dev.numera.sequences.lists.CellNotation;
import java.util.Map;

/** Reads CSV as the calls with these query parameters do. */
final class CsvLists {
    private CsvLists() {}

    static ListParameters parameters(String query) {
        return new ListParameters(Query.of(Requests.of("/api/x?" + query, null, Map.of()), ListParameters.ofImport()));
    }

    static UploadedRows ofKeys(String csv, String query) {
        return UploadCsv.read(csv, parameters(query), CellNotation.FILE);
    }

    static CsvStructure separatedBy(char separator) {
        return new CsvStructure(separator, 1, null);
    }
}
