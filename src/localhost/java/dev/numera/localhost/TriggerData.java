package dev.numera.localhost;

import java.lang.reflect.Type;
import java.util.Optional;

/** What set a function off: an HTTP request, or a message. */
interface TriggerData {
    /** The value of the trigger's own parameter. */
    Object payload(Type wanted);

    /** The value for {@code @BindingName(name)}, a text or a {@code Long}; empty when there is none of this name. */
    Optional<Object> metadata(String name);
}
