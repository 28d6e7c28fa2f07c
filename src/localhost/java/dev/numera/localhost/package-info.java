/**
 * A small Azure Functions host, for {@code mvn -Pstart} and for the tests. Its tests show what it does as the real one
 * does; {@code CONTRIBUTING.md} lists what it leaves out.
 *
 * <p>Come in by {@link dev.numera.localhost.Start}, which starts {@link dev.numera.localhost.Azurite} and the process
 * of the app; by {@link dev.numera.localhost.HostJvm} for such a process alone; or by
 * {@link dev.numera.localhost.LocalHost} inside one's own. {@code FunctionApp} loads a packaged app;
 * {@code HttpTriggers}, {@code QueueListener}, {@code TimerListener} and {@code AdminEndpoints} call its functions,
 * each a {@code Function}.
 *
 * <p>Depends on no room of the app, and only {@code NumeraHost} knows, by name, what this project's app needs. It is
 * compiled with the tests and never shipped.
 */
package dev.numera.localhost;
