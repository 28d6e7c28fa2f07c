package dev.numera.localhost;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.azure.functions.HttpResponseMessage;
import com.microsoft.azure.functions.spi.inject.FunctionInstanceInjector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * A loaded function app. Its functions are in alphabetical order, and the host tries their routes in this order. The
 * app's jars have their own class loader, which shares only the JDK and the Functions library with the host. Closing
 * the app closes the jars.
 */
record FunctionApp(HostSettings hostSettings, List<Function> functions, URLClassLoader classes)
        implements AutoCloseable {
    private static final String FUNCTIONS_LIBRARY = "com.microsoft.azure.functions.";

    /** Loads the types that the host and the app must share. */
    private static final class SharedTypes extends ClassLoader {
        SharedTypes() {
            super(getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith(FUNCTIONS_LIBRARY)) {
                return FunctionApp.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    /** Creates a new instance for every invocation, as the Java worker does for an app without an injector. */
    private static final class NewInstances implements FunctionInstanceInjector {
        @Override
        public <T> T getInstance(Class<T> type) throws ReflectiveOperationException {
            return type.getConstructor().newInstance();
        }
    }

    /** Loads the app from a folder with the Maven plugin's layout, and creates its {@code FunctionInstanceInjector}. */
    static FunctionApp load(Path folder, AppSettings settings) {
        requireIn(folder);
        HostSettings hostSettings = HostSettings.read(folder.resolve("host.json"), settings);
        try {
            URLClassLoader classes = new URLClassLoader("app", jarsIn(folder), new SharedTypes());
            FunctionInstanceInjector instances = instances(classes);
            List<Function> functions = new ArrayList<>();
            for (Path file : functionFilesIn(folder)) {
                functions.add(function(file, classes, instances));
            }
            return new FunctionApp(hostSettings, List.copyOf(functions), classes);
        } catch (IOException e) {
            throw new StartRefused(
                    "Cannot read the packaged app in " + folder + " (" + e + "): run 'mvn package' again.", e);
        }
    }

    /** @throws StartRefused the folder contains no packaged app */
    static void requireIn(Path folder) {
        if (!Files.exists(folder.resolve("host.json"))) {
            throw new StartRefused("There is no packaged function app in " + folder + ": run 'mvn package' first.");
        }
    }

    List<Function> triggeredBy(String type) {
        return functions.stream()
                .filter(function -> function.isTriggeredBy(type))
                .toList();
    }

    @Override
    public void close() {
        try {
            classes.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL[] jarsIn(Path folder) throws IOException {
        List<URL> jars = new ArrayList<>();
        for (Path place : List.of(folder, folder.resolve("lib"))) {
            try (Stream<Path> files = Files.exists(place) ? Files.list(place) : Stream.empty()) {
                for (Path jar : files.filter(file -> file.toString().endsWith(".jar"))
                        .sorted()
                        .toList()) {
                    jars.add(url(jar));
                }
            }
        }
        return jars.toArray(URL[]::new);
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    private static List<Path> functionFilesIn(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.resolve("function.json"))
                    .filter(Files::exists)
                    .sorted(Comparator.comparing(FunctionApp::functionName, String.CASE_INSENSITIVE_ORDER))
                    .toList();
        }
    }

    private static String functionName(Path functionFile) {
        return functionFile.getParent().getFileName().toString();
    }

    private static FunctionInstanceInjector instances(ClassLoader classes) {
        Thread thread = Thread.currentThread();
        ClassLoader previous = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            List<FunctionInstanceInjector> injectors = new ArrayList<>();
            ServiceLoader.load(FunctionInstanceInjector.class, classes).forEach(injectors::add);
            if (injectors.size() > 1) {
                throw new StartRefused(
                        "The app has " + injectors.size() + " FunctionInstanceInjectors, but may have one: "
                                + injectors.stream()
                                        .map(injector -> injector.getClass().getName())
                                        .toList() + ".");
            }
            return injectors.isEmpty() ? new NewInstances() : injectors.get(0);
        } catch (ServiceConfigurationError e) {
            Throwable reason = rootCause(e);
            throw new StartRefused(
                    "The app refused to start: " + (reason.getMessage() == null ? reason : reason.getMessage()), e);
        } finally {
            thread.setContextClassLoader(previous);
        }
    }

    private static Throwable rootCause(Throwable thrown) {
        return thrown.getCause() == null ? thrown : rootCause(thrown.getCause());
    }

    private static Function function(Path file, ClassLoader classes, FunctionInstanceInjector instances) {
        JsonObject json = JsonFile.read(file);
        JsonObject trigger = null;
        for (JsonElement element : json.getAsJsonArray("bindings")) {
            JsonObject binding = element.getAsJsonObject();
            String type = binding.get("type").getAsString();
            if (type.toLowerCase(Locale.ROOT).endsWith("trigger")) {
                trigger = binding;
            } else if (!type.equals("http")) {
                throw new StartRefused(
                        file + " has a binding of type '" + type + "': this local host has triggers and HTTP answers"
                                + " only; let the function use the service's client instead.");
            }
        }
        if (trigger == null) {
            throw new StartRefused(file + " has no trigger.");
        }
        Method entryPoint = entryPoint(json.get("entryPoint").getAsString(), classes, file);
        Function function = new Function(functionName(file), trigger, entryPoint, instances);
        if (function.isTriggeredBy("httpTrigger")
                && !HttpResponseMessage.class.isAssignableFrom(function.returnType())) {
            throw new StartRefused("The function '" + function.name() + "' returns "
                    + function.returnType().getSimpleName()
                    + ": this local host serves only functions that return an HttpResponseMessage.");
        }
        return function;
    }

    private static Method entryPoint(String entryPoint, ClassLoader classes, Path file) {
        int dot = entryPoint.lastIndexOf('.');
        String methodName = entryPoint.substring(dot + 1);
        try {
            List<Method> methods = Arrays.stream(
                            classes.loadClass(entryPoint.substring(0, dot)).getMethods())
                    .filter(method -> method.getName().equals(methodName))
                    .toList();
            if (methods.size() == 1) {
                return methods.get(0);
            }
            throw new StartRefused(file + " names " + entryPoint + ", of which there are " + methods.size()
                    + ": one public method is needed.");
        } catch (ClassNotFoundException e) {
            throw new StartRefused(
                    file + " names " + entryPoint + ", which is not in the app's jars: run 'mvn package' again.", e);
        }
    }
}
