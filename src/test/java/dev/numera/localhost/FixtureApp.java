package dev.numera.localhost;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.GsonBuilder;
import com.microsoft.azure.functions.annotation.FunctionName;
import com.microsoft.azure.functions.annotation.HttpTrigger;
import com.microsoft.azure.functions.annotation.QueueTrigger;
import com.microsoft.azure.functions.annotation.TimerTrigger;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** A function app of test classes, written to a folder in the layout of the Maven plugin. */
public final class FixtureApp {
    private static final String INJECTOR_SERVICE =
            "META-INF/services/com.microsoft.azure.functions.spi.inject.FunctionInstanceInjector";

    private final Path folder;
    private final List<Class<?>> injectors = new ArrayList<>();
    private final List<Class<?>> functions;

    private FixtureApp(Path folder, List<Class<?>> functions) {
        this.folder = folder;
        this.functions = functions;
    }

    public static FixtureApp in(Path folder, Class<?>... functions) throws IOException {
        return new FixtureApp(folder, List.of(functions)).file("host.json", "{\"version\": \"2.0\"}");
    }

    /** Adds a file, or replaces the default one. */
    FixtureApp file(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    FixtureApp injector(Class<?> injector) {
        injectors.add(injector);
        return this;
    }

    /** Writes the jar and the function.json of every annotated method. */
    public Path write() throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve("app.jar")))) {
            for (Class<?> type :
                    Stream.concat(functions.stream(), injectors.stream()).toList()) {
                addClassAndNested(type, jar);
            }
            if (!injectors.isEmpty()) {
                jar.putNextEntry(new ZipEntry(INJECTOR_SERVICE));
                jar.write(
                        String.join("\n", injectors.stream().map(Class::getName).toList())
                                .getBytes(UTF_8));
            }
        }
        for (Class<?> type : functions) {
            for (Method method : type.getMethods()) {
                if (method.isAnnotationPresent(FunctionName.class)) {
                    writeFunction(method);
                }
            }
        }
        return folder;
    }

    private void writeFunction(Method method) throws IOException {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("scriptFile", "../app.jar");
        json.put("entryPoint", method.getDeclaringClass().getName() + "." + method.getName());
        List<Map<String, Object>> bindings = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            for (Annotation annotation : parameter.getAnnotations()) {
                addBinding(annotation, bindings);
            }
        }
        json.put("bindings", bindings);
        String name = method.getAnnotation(FunctionName.class).value();
        if (!Files.exists(folder.resolve(name))) {
            file(
                    name + "/function.json",
                    new GsonBuilder().setPrettyPrinting().create().toJson(json));
        }
    }

    private static void addBinding(Annotation annotation, List<Map<String, Object>> bindings) {
        Map<String, Object> binding = new LinkedHashMap<>();
        if (annotation instanceof HttpTrigger http) {
            binding.putAll(Map.of(
                    "type",
                    "httpTrigger",
                    "direction",
                    "in",
                    "name",
                    http.name(),
                    "authLevel",
                    http.authLevel().name()));
            if (!http.route().isEmpty()) {
                binding.put("route", http.route());
            }
            if (http.methods().length > 0) {
                binding.put(
                        "methods",
                        Stream.of(http.methods()).map(Object::toString).toList());
            }
            bindings.add(Map.of("type", "http", "direction", "out", "name", "$return"));
        } else if (annotation instanceof QueueTrigger queue) {
            binding.putAll(Map.of(
                    "type",
                    "queueTrigger",
                    "direction",
                    "in",
                    "name",
                    queue.name(),
                    "queueName",
                    queue.queueName(),
                    "connection",
                    queue.connection()));
        } else if (annotation instanceof TimerTrigger timer) {
            binding.putAll(Map.of(
                    "type", "timerTrigger", "direction", "in", "name", timer.name(), "schedule", timer.schedule()));
        } else {
            return;
        }
        bindings.add(binding);
    }

    private static void addClassAndNested(Class<?> type, JarOutputStream jar) throws IOException {
        addClass(type, jar);
        for (Class<?> nested : type.getDeclaredClasses()) {
            addClassAndNested(nested, jar);
        }
    }

    private static void addClass(Class<?> type, JarOutputStream jar) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        jar.putNextEntry(new ZipEntry(file));
        try (InputStream code = type.getClassLoader().getResourceAsStream(file)) {
            code.transferTo(jar);
        }
    }
}
