package dev.numera.bench;

/** The prose of the page. */
final class Texts {
    static final String INTRODUCTION = """
            This page is written by `mvn -Pbench`. Do not edit it: change the program in `src/bench/java` and run it again.

            The storage is [Azurite](https://github.com/Azure/Azurite), the storage emulator, on the same machine. It keeps its data in memory
            and is a single thread, so it takes one of the cores. **Azure is not measured here.** A round trip to Azure takes longer, and many
            run at once. Compare the rows of one run with each other, not with another machine.

            Every figure in this page comes from one run. A call that was under way when its window closed counts as unfinished. It is in the
            percentiles with its age at that moment, so the slow strategies do not look better than they are.
            """;

    static final String STRATEGIES = """
            Each strategy runs on a sequence of its own, first unmeasured, then for one window. All strategies on Azure Storage use the same
            Azurite, the same table and the same HTTP client. PostgreSQL and Redis are started by the benchmark with their default
            durability. PostgreSQL writes every commit to the disk, Redis takes snapshots, and Azurite keeps everything in memory. So a
            comparison between stores says little about Azure. Callers share at most 64 connections to each of the two servers.

            *requests* are round trips. *operations* counts each part of a transaction. Whether Azure bills a transaction once or for each
            part is disputed, so costs are given for both. Prices are parameters: `-Dbench.price.table`, `-Dbench.price.blob` and
            `-Dbench.price.queue` are the prices of 10,000 operations. Without them the page gives the number of operations.

            Numera runs with the settings that it comes with, except `Numera_MaxWaitingCalls`: it is 300, so that 256 callers may wait at once.
            By default 200 may wait, and the others are turned away with 503.

            ![Numbers per second](benchmarks/numbers.svg)

            ![99th percentile](benchmarks/p99.svg)
            """;

    static final String SPEED = """
            *raw* is the rate of conditional replaces that one caller reaches through the app's own storage class, in the same run: after 5 s of
            warm-up, the best of three windows of 3 s. The strict cases are measured in the same way, the load from 4 processes once, for 60 s.
            The first 5,000 keys are the best of three fresh sequences. Blocks from memory are measured with JMH, Numera's and CosId's over the
            same store in memory.
            """;

    private Texts() {}
}
