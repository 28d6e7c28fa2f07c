package dev.numera.bench;

/** The prose of the pages. */
final class Texts {
    static final String BENCHMARKS =
            """
            # Benchmarks

            This page is written by `mvn -f bench -DskipTests`. Do not edit it: change the program in `bench/java` and run it again.

            The storage is [Azurite](https://github.com/Azure/Azurite), the storage emulator, on the same machine. It keeps its data in memory
            and is a single thread, so it takes one of the cores. **Azure is not measured here.** A round trip to Azure takes longer, and many
            run at once. Compare the rows of one run with each other, not with another machine.

            Every figure in this page comes from one run, except the charts over instances: [their page](distance.md) says which run those are
            from. A call that was under way when its window closed counts as unfinished. It is in the percentiles with its age at that moment, so
            the slow strategies do not look better than they are.
            """;

    static final String STRATEGIES =
            """
            Each strategy runs on a sequence of its own, first unmeasured, then for one window. All strategies on Azure Storage use the same
            Azurite, the same table and the same HTTP client. PostgreSQL and Redis are started by the benchmark with their default
            durability. PostgreSQL writes every commit to the disk, Redis takes snapshots, and Azurite keeps everything in memory. So a
            comparison between stores says little about Azure. Callers share at most 64 connections to each of the two servers.

            *requests* are round trips. *operations* counts each part of a transaction. Whether Azure bills a transaction once or for each
            part is disputed, so costs are given for both. Prices are parameters: `-Dbench.price.table`, `-Dbench.price.blob` and
            `-Dbench.price.queue` are the prices of 10,000 operations. Without them the page gives the number of operations.

            Numera runs with the settings that it comes with, except `Numera_MaxWaitingCalls`: it is 300, so that 256 callers may call at once.
            By default 128 may, and the others are turned away with 503.

            In the charts, grey lines without a name are the other strategies; opened on its own, a chart names each under the mouse.

            ![Numbers per second over the number of callers](benchmarks/numbers.svg)

            ![99th percentile over the number of callers](benchmarks/p99.svg)

            Numera strict over the number of instances, with storage as far away as Azure's, from [a run of its own](distance.md):

            ![Numbers per second over the number of instances](benchmarks/distance-numbers.svg)

            ![99th percentile over the number of instances](benchmarks/distance-p99.svg)
            """;

    static final String DISTANCE =
            """
            # At a distance

            This page is written by `mvn -f bench -DskipTests -Dbench=distance`. Do not edit it: change the program in `bench/java` and run it
            again. With another distance (`-Dbench.rtt.millis`, `-Dbench.rtt.sigma`), or with a real account (`-Dconnection=...`), it goes to
            `target/bench` instead.

            How instances share a sequence is told in [instances ask one another](decisions/instances-ask-one-another.md), how the strategies that
            people use compare in [benchmarks](benchmarks.md).
            """;

    static final String INSTANCES =
            """
            *RTT* is the median time of one conditional replace by one caller at this distance, in the same run. *callers/RTT* is the bound of
            what can be given if every caller waits for one write. A load of 4 x 16 is 4 instances with 16 callers each. Instances are processes;
            more than 8 are object graphs, 4 in each process. A caller that pauses does so for a time that is exponentially distributed, with the
            mean that is named.

            ![Numbers per second over the number of instances](benchmarks/distance-numbers.svg)

            ![99th percentile over the number of instances](benchmarks/distance-p99.svg)
            """;

    static final String SPEED =
            """
            *raw* is the rate of conditional replaces that one caller reaches through the app's own storage class, in the same run: after 5 s of
            warm-up, the best of three windows of 3 s. The strict cases are measured in the same way, the load from 4 processes once, for 60 s.
            The first 5,000 keys are the best of five fresh sequences, in turns with what they are compared with.
            """;

    static final String BACKOFF =
            """
            What to wait after a lost attempt, with 16 callers in each of 2, 4 and 8 processes on one strict sequence. *attempts of a call* is
            how many attempts a call took part in. The choice is explained in [backoff.md](backoff.md).
            """;

    static final String HTTP =
            """
            64 connections call as fast as they are answered. The bare handler is the HTTP server of the local host with nothing behind it. The
            empty function and `next` run in the local host. The servers take turns, and the best of three turns counts. The local host is not
            the Functions host: on Azure a call goes through the host and a gRPC connection as well.
            """;

    static final String START =
            """
            From the start of a JVM to its first number, with the flag of the Java worker, `-XX:TieredStopAtLevel=1`. The sequence is there
            already. Each row starts one unmeasured process and then the measured ones. Jars and MB are those on the class path. The time that
            Azure takes to find an instance and to start the Functions host is not in it.
            """;

    private Texts() {}
}
