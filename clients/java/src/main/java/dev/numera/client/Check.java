package dev.numera.client;

import java.time.Instant;
import java.util.List;

/**
 * Whether each number is accounted for.
 *
 * @param allocated how many numbers are in the ledger under a key
 * @param voided how many of them are void
 * @param reserved how many of them are reserved
 * @param gaps the numbers that are not in the ledger under one key
 */
public record Check(Instant checkedAt, long allocated, long voided, long reserved, List<Gap> gaps) {
    /**
     * Numbers that are not in the ledger under one key.
     *
     * @param kind advanced, unimported, missing, unrecorded or twice
     * @param reason null if there is none
     */
    public record Gap(long first, long last, String kind, String reason) {
        static Gap of(Fields fields) {
            return new Gap(
                    fields.number("first"), fields.number("last"), fields.string("kind"), fields.string("reason"));
        }
    }

    static Check of(List<Fields> pages) {
        return new Check(
                pages.get(0).instant("checkedAt"),
                sum(pages, "allocated"),
                sum(pages, "void"),
                sum(pages, "reserved"),
                pages.stream()
                        .flatMap(page -> page.list("gaps").stream())
                        .map(Fields::of)
                        .map(Gap::of)
                        .toList());
    }

    private static long sum(List<Fields> pages, String count) {
        return pages.stream().mapToLong(page -> page.number(count)).sum();
    }
}
