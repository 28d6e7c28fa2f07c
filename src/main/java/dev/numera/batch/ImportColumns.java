package dev.numera.batch;

/**
 * Where an import's rows have what other uploads do not, by the indexes of the columns; {@link UploadLayout#NO_COLUMN}
 * for none.
 */
public record ImportColumns(int number, int text, int status, int reason) {}
