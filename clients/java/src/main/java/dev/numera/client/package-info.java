/**
 * Numbers from Numera, whatever fails in between: {@link dev.numera.client.Numera} makes the calls. Needs Java 17 or
 * later and nothing else.
 */
package dev.numera.client;
