package dev.numera.sequences.lists;

/** The start of a page of an upload's rows. Counts the parts, and the rows of a part, from 0. */
public record UploadPosition(int part, int row) {
    public static final UploadPosition START = new UploadPosition(0, 0);
}
