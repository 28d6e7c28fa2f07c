package dev.numera.maintain.restore;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;

/**
 * A gzip stream that detects bytes after its first member. {@link GZIPInputStream} alone would ignore such bytes, or
 * continue with them as another member. Not thread-safe.
 */
final class OneGzip extends GZIPInputStream {
    /** The size of the checksum and the length at the end of a member. */
    private static final int TRAILER_BYTES = 8;

    private final Counting packed;
    private final long headerBytes;

    OneGzip(InputStream packed, int bufferBytes) throws IOException {
        this(new Counting(packed), bufferBytes);
    }

    /** Reads the header byte by byte, so the counter shows its length. */
    private OneGzip(Counting packed, int bufferBytes) throws IOException {
        super(packed, bufferBytes);
        this.packed = packed;
        this.headerBytes = packed.bytes;
    }

    /** Whether no byte follows the member. Call it after the member was read to its end. */
    boolean isAll() throws IOException {
        packed.transferTo(OutputStream.nullOutputStream());
        return packed.bytes == headerBytes + inf.getBytesRead() + TRAILER_BYTES;
    }

    private static final class Counting extends FilterInputStream {
        private long bytes;

        Counting(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            bytes += value < 0 ? 0 : 1;
            return value;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = super.read(target, offset, length);
            bytes += Math.max(0, read);
            return read;
        }
    }
}
