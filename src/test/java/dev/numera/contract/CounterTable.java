package dev.numera.contract;

import dev.numera.counter.CounterStore;
import dev.numera.counter.PeerRequests;

/** What a counter needs of a table: its own rows and those of the requests between instances. */
public interface CounterTable extends CounterStore, PeerRequests {}
