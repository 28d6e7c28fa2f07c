/**
 * Allocates numbers with Numera and handles failures on the way. Start with {@link dev.numera.client.Numera}. Needs
 * only Java 17 or later.
 */
package dev.numera.client;
