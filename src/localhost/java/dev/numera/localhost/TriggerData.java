package dev.numera.localhost;

import java.lang.reflect.Type;
import java.util.Optional;

/** The data that triggered a function: an HTTP request or a message. */
interface TriggerData {
    /** The value of the trigger's own parameter. */
    Object payload(Type wanted);

    /** The value for {@code @BindingName(name)}, a string or a {@code Long}; empty if no value has this name. */
    Optional<Object> metadata(String name);
}
