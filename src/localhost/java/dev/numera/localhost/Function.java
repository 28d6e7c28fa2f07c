package dev.numera.localhost;

import com.google.gson.JsonObject;
import com.microsoft.azure.functions.ExecutionContext;
import com.microsoft.azure.functions.annotation.BindingName;
import com.microsoft.azure.functions.spi.inject.FunctionInstanceInjector;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.logging.Logger;

/** One function of the app: its trigger binding and its entry point. Thread-safe. */
final class Function {
    /**
     * An invocation that failed. The cause is the exception of the function, or of the host on the way to the function.
     */
    static final class Failed extends Exception {
        private Failed(String function, Throwable cause) {
            super("The function '" + function + "' failed: " + cause, cause);
        }
    }

    private interface Argument {
        Object of(TriggerData data, ExecutionContext context);
    }

    private final String name;
    private final Logger logger;
    private final JsonObject trigger;
    private final Method method;
    private final FunctionInstanceInjector instances;
    private final List<Argument> arguments = new ArrayList<>();

    Function(String name, JsonObject trigger, Method method, FunctionInstanceInjector instances) {
        this.name = name;
        this.logger = Logger.getLogger("Function." + name);
        this.trigger = trigger;
        this.method = method;
        this.instances = instances;
        for (Parameter parameter : method.getParameters()) {
            arguments.add(argument(parameter));
        }
    }

    String name() {
        return name;
    }

    JsonObject trigger() {
        return trigger;
    }

    Class<?> returnType() {
        return method.getReturnType();
    }

    boolean isTriggeredBy(String type) {
        return trigger.get("type").getAsString().equalsIgnoreCase(type);
    }

    /**
     * Calls the function in this thread and waits for it. Sets the thread's context class loader to the app's during
     * the call.
     */
    Object invoke(TriggerData data) throws Failed {
        Thread thread = Thread.currentThread();
        ClassLoader previous = thread.getContextClassLoader();
        thread.setContextClassLoader(method.getDeclaringClass().getClassLoader());
        try {
            Invocation context = Invocation.of(name, logger);
            Object[] values = new Object[arguments.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = arguments.get(i).of(data, context);
            }
            return method.invoke(instances.getInstance(method.getDeclaringClass()), values);
        } catch (InvocationTargetException e) {
            throw new Failed(name, e.getCause());
        } catch (Exception | LinkageError e) {
            // A failure to call the function must fail only this invocation, whatever is thrown.
            throw new Failed(name, e);
        } finally {
            thread.setContextClassLoader(previous);
        }
    }

    private Argument argument(Parameter parameter) {
        if (parameter.getType() == ExecutionContext.class) {
            return (data, context) -> context;
        }
        BindingName bindingName = parameter.getAnnotation(BindingName.class);
        if (bindingName != null) {
            return (data, context) ->
                    Conversion.convert(metadata(data, bindingName.value()), parameter.getParameterizedType());
        }
        String triggerName = trigger.get("name").getAsString();
        if (Arrays.stream(parameter.getAnnotations()).anyMatch(annotation -> triggerName.equals(nameIn(annotation)))) {
            return (data, context) -> data.payload(parameter.getParameterizedType());
        }
        throw new StartRefused(
                "The parameter " + parameter + " of the function '" + name + "' is neither its trigger, nor"
                        + " @BindingName, nor ExecutionContext: this local host has no other bindings.");
    }

    private static Object metadata(TriggerData data, String name) {
        return data.metadata(name)
                .orElseThrow(() -> new NoSuchElementException("there is no value for @BindingName(\"" + name + "\")"));
    }

    /** Reads the name of a binding's annotation by reflection, because these annotations have no common type. */
    private static String nameIn(Annotation annotation) {
        try {
            return (String) annotation.annotationType().getMethod("name").invoke(annotation);
        } catch (ReflectiveOperationException nameless) {
            return "";
        }
    }
}
