/**
 * Parses and writes JSON: each value from outside is checked as it is read. {@link dev.numera.json.Json} is the only
 * parser; {@link dev.numera.json.Checked} is the only way into what it parsed: each value is read as the type, and
 * within the bounds, that its reader states, and what is thrown for any other is up to who made it.
 * {@link dev.numera.json.Fields} writes every object that a caller gets.
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
