package dev.numera.sequences.lists;

/** Where a page of an upload's rows begins: parts and the rows in them are counted from 0. */
public record UploadPosition(int part, int row) {
    public static final UploadPosition START = new UploadPosition(0, 0);
}
