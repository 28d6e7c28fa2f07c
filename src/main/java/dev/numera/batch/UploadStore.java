package dev.numera.batch;

import dev.numera.execution.WriteResult;
import dev.numera.problem.Answer;
import dev.numera.problem.ProblemException;
import dev.numera.sequence.Numbers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where uploads are kept. Parts are counted from 1. Calls block for storage requests and throw
 * {@link dev.numera.execution.StoreFailure}. Thread-safe.
 */
public interface UploadStore {
    /** Rows that are stored, numbered and answered together. */
    record Part(List<List<String>> rows) {
        private static final int MAX_UNITS = 200_000;

        public Part {
            rows = List.copyOf(rows);
        }

        /** The parts of a list, in the order of its rows; a list that is sent again is cut in the same places. */
        static List<Part> cut(List<List<String>> rows, int maxRows) {
            List<Part> parts = new ArrayList<>();
            List<List<String>> part = new ArrayList<>();
            int units = 0;
            for (List<String> row : rows) {
                int unitsOfRow = Layout.storedUnits(row);
                if (part.size() == maxRows || !part.isEmpty() && units + unitsOfRow > MAX_UNITS) {
                    parts.add(new Part(part));
                    part.clear();
                    units = 0;
                }
                part.add(row);
                units += unitsOfRow;
            }
            parts.add(new Part(part));
            return parts;
        }
    }

    Optional<Upload> find(Upload.Id id);

    /** Lost where there is one already. */
    WriteResult insert(Upload upload);

    /** Replaces the upload that is still at this one's version. */
    WriteResult replace(Upload upload);

    /** Stores the parts' rows, in order from the first part on; those that are there already are left as they are. */
    void insertParts(Upload upload, List<Part> parts);

    /**
     * @throws ProblemException {@code unknown-batch}, {@code unknown-import}: the upload was removed since it was found
     */
    Part part(Upload upload, int part);

    /**
     * Writes the answers of a part and the progress with it, if the upload is still at its version. Refusals that are
     * too long together are kept without what only explains them.
     */
    WriteResult finish(Upload upload, List<Answer<Numbers>> answersOfLastPart);

    /**
     * The answers of a part that is done, one for each row, without keys; of several numbers of one row, without texts.
     *
     * @param rows how many rows the part has
     * @throws ProblemException as for {@link #part}
     */
    List<Answer<Numbers>> answers(Upload upload, int part, int rows);

    /** An upload that was kept long enough. Another may have its id by now: the time distinguishes them. */
    record OldUpload(Upload.Id id, Instant sentAt) {}

    /** The oldest uploads that were sent before a moment. */
    List<OldUpload> sentBefore(Instant moment, int limit);

    /**
     * Removes all that is stored of an upload, and nothing of another with its id. What a removal leaves that breaks
     * off is still old.
     */
    void remove(OldUpload upload);
}
