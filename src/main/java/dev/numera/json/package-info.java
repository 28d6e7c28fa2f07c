/**
 * Parses and writes JSON. {@link dev.numera.json.Json} is the only parser. {@link dev.numera.json.Checked} is the only
 * way to read a parsed value: the reader states its type and bounds, and any other value throws an exception that the
 * creator of the {@code Checked} chose. {@link dev.numera.json.Fields} writes every object that a caller gets.
 *
 * <pre>{@code
 * Checked body = Checked.parse("{\"count\": 3}", "body", InvalidRequest::because);
 * int count = body.member("count").int32(1, 10_000); // 3
 * String answer = new Fields().put("count", count).json().toString(); // {"count":3}
 * }</pre>
 */
@NullMarked
package dev.numera.json;

import org.jspecify.annotations.NullMarked;
