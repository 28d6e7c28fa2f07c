/**
 * The bindings of the queue, of uploads and of their results: message envelopes, CSV and JSON of lists, answers to the
 * results queue.
 */
package dev.numera.functions.batch;
