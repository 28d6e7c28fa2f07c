// The first process of the container of src/localhost/Dockerfile. It starts the same processes as mvn -Pstart, which listen on 127.0.0.1
// only, and forwards connections from the container's own addresses to them. Outside a container, the local host and Azurite never
// listen on a network.
//   node container.mjs [APP_PORT BLOB_PORT QUEUE_PORT TABLE_PORT [ADDRESS...]]
// The functions require the key in FUNCTION_KEY; without that variable they require none.
import { spawn } from 'node:child_process';
import { createConnection, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

const LOOPBACK = '127.0.0.1';
const [port = '7071', blob = '10000', queue = '10001', table = '10002', ...given] = process.argv.slice(2);
const addresses = given.length > 0 ? given : ownAddresses();

function ownAddresses() {
  return Object.values(networkInterfaces()).flat().filter((each) => !each.internal && each.family === 'IPv4').map((each) => each.address);
}

function forward(address, to) {
  // Keeps half-open connections open: a client may have sent everything and still wait for the answer.
  const server = createServer({ allowHalfOpen: true }, (outer) => {
    const inner = createConnection({ host: LOOPBACK, port: to, allowHalfOpen: true });
    outer.on('error', () => inner.destroy()).pipe(inner);
    inner.on('error', () => outer.destroy()).pipe(outer);
    outer.on('close', () => inner.destroy());
    inner.on('close', () => outer.destroy());
  });
  server.on('error', (error) => {
    console.error(`Cannot listen on ${address}:${to}: ${error.message}`);
    java.kill('SIGTERM');
  });
  server.listen({ host: address, port: Number(to) });
}

const java = spawn(
  process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java',
  ['-cp', 'classes:lib/*:app/lib/*', 'dev.numera.localhost.Start', '.', 'app', port, process.env.FUNCTION_KEY ?? '', 'false', [blob, queue, table].join()],
  { stdio: 'inherit' },
);
java.on('error', (error) => {
  console.error(`Cannot start Java: ${error.message}`);
  process.exit(1);
});
java.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => java.kill('SIGTERM'));
}
addresses.forEach((address) => [port, blob, queue, table].forEach((each) => forward(address, each)));
