// The first process of the container of src/localhost/Dockerfile. It starts what mvn -Pstart starts, which listens on 127.0.0.1 only, and
// passes connections to the container's own addresses on to it. So neither the local host nor Azurite can ever listen to a network elsewhere.
//   node container.mjs [APP_PORT BLOB_PORT QUEUE_PORT TABLE_PORT [ADDRESS...]]
// FUNCTION_KEY is the key that functions then require; without it they require none.
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
  // Half-open connections stay so: a client may have sent all and still wait for the answer.
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
