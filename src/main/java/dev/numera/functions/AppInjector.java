package dev.numera.functions;

import com.microsoft.azure.functions.spi.inject.FunctionInstanceInjector;
import java.lang.reflect.InvocationTargetException;

/**
 * Passes the one {@link App} of this process to all functions. Without it, the worker would create a new instance of a
 * function's class for every call, and no calls would share a write.
 */
public final class AppInjector implements FunctionInstanceInjector {
    private final App app = new App(System.getenv());

    @Override
    public <T> T getInstance(Class<T> functionClass) {
        try {
            return functionClass.getConstructor(App.class).newInstance(app);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(functionClass + " could not be made.", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(functionClass + " needs a public constructor that takes the App.", e);
        }
    }
}
