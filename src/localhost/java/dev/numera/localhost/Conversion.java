package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Optional;

/** Converts a trigger's data into the type of the function's parameter, as the Java worker does. */
final class Conversion {
    static final Gson GSON = new Gson();

    private Conversion() {}

    /**
     * Converts a value to a type.
     *
     * @param value a string, bytes, a {@code Long}, or null
     * @return null for null, unless the type is {@code Optional}
     * @throws IllegalArgumentException the value cannot be converted to this type
     */
    static Object convert(Object value, Type wanted) {
        if (rawClass(wanted) == Optional.class) {
            return Optional.ofNullable(value).map(present -> convert(present, typeArgument(wanted)));
        }
        if (value == null || rawClass(wanted).isInstance(value)) {
            return value;
        }
        if (value instanceof byte[] bytes) {
            return fromText(new String(bytes, UTF_8), wanted);
        }
        return fromText(value.toString(), wanted);
    }

    static Class<?> rawClass(Type type) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType parameterized) {
            return (Class<?>) parameterized.getRawType();
        }
        throw new IllegalArgumentException("cannot deliver a value as " + type.getTypeName());
    }

    /** Returns the type between the angle brackets; {@code Object} if the type has no brackets. */
    static Type typeArgument(Type type) {
        return type instanceof ParameterizedType parameterized
                ? parameterized.getActualTypeArguments()[0]
                : Object.class;
    }

    private static Object fromText(String text, Type wanted) {
        if (wanted == String.class) {
            return text;
        }
        Object value = GSON.fromJson(text, wanted);
        if (value == null) {
            throw new IllegalArgumentException("'" + text + "' is no " + wanted.getTypeName());
        }
        return value;
    }
}
