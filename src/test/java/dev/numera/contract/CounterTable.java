package dev.numera.contract;

import dev.numera.core.counter.CounterStore;
import dev.numera.core.counter.PeerRequests;

/** What a counter needs of a table: its own rows and those of the requests between instances. */
public interface CounterTable extends CounterStore, PeerRequests {}
