/**
 * A small Azure Functions host, for {@code mvn -Pstart} and for the tests. Its tests show where it behaves like the
 * real host; {@code CONTRIBUTING.md} lists the features that it lacks.
 *
 * <p>Start with {@link dev.numera.localhost.Start}, which starts {@link dev.numera.localhost.Azurite} and the process
 * of the app. {@link dev.numera.localhost.HostJvm} starts only the process of an app, and
 * {@link dev.numera.localhost.LocalHost} runs an app inside the current process. {@code FunctionApp} loads a packaged
 * app; {@code HttpTriggers}, {@code QueueListener}, {@code TimerListener} and {@code AdminEndpoints} call its
 * functions, each a {@code Function}.
 *
 * <p>It depends on no package of the app. Only {@code NumeraHost} knows the tables, queues and settings of this
 * project's app, and only by name. It is compiled with the tests and never shipped.
 */
package dev.numera.localhost;
