package dev.numera.client;

import java.time.Duration;

/**
 * An attempt that is followed by another one.
 *
 * @param location the path and the query
 * @param attempts the number of requests sent so far
 * @param status the status of the answer; 0 if none arrived
 * @param cause the failure; null if an answer arrived
 */
public record Retry(String method, String location, int attempts, Duration pause, int status, Exception cause) {}
