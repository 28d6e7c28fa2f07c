package dev.numera.house;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.pool.TypePool;

/** Loads the app's classes a second time, changed so that {@link CallRecorder} counts the calls of their methods. */
final class RecordedClasses extends ClassLoader {
    private final ClassFileLocator files;
    private final TypePool types;

    RecordedClasses() {
        super(RecordedClasses.class.getClassLoader());
        this.files = ClassFileLocator.ForClassLoader.of(getParent());
        this.types = TypePool.Default.of(files);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("dev.numera.") || name.startsWith(CallRecorder.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        URL url = getParent().getResource(file);
        if (url == null) {
            throw new ClassNotFoundException(name);
        }
        try (InputStream bytes = url.openStream()) {
            byte[] code = url.getPath().contains("test-classes") ? bytes.readAllBytes() : recorded(name);
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] recorded(String name) {
        return new ByteBuddy()
                .redefine(types.describe(name).resolve(), files)
                .visit(Advice.to(CallRecorder.OfMethods.class).on(isMethod()))
                .visit(Advice.to(CallRecorder.OfConstructors.class).on(isConstructor()))
                .make()
                .getBytes();
    }
}
