package dev.numera.contract;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;

/** The rows that a counter needs from a table: its own and the requests between instances. */
public interface CounterTable extends CounterStore, PeerRequests {}
