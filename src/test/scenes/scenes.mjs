// Plays each scene with the client for JavaScript: node scenes.mjs URL scenes.json
import { readFileSync } from 'node:fs';
import { Numera, NumeraDifference, NumeraProblem, NumeraUnavailable } from '../../../clients/javascript/numera.js';

class NoToken extends Error {}

const [url, scenes] = process.argv.slice(2);

for (const [i, { options, call }] of JSON.parse(readFileSync(scenes, 'utf8')).entries()) {
  const waits = [];
  const retries = [];
  let slept = 0;
  const { tokenServer, oversleepSeconds = 0, ...others } = options ?? {};
  const address = url.replace('{scene}', i);
  const clock = {
    now: () => performance.now() / 1000 + slept,
    sleep: async (seconds) => {
      waits.push(seconds);
      slept += seconds + oversleepSeconds;
      await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
  const onRetry = ({ attempts, status, cause }) => retries.push([attempts, status ?? (cause && 'lost')]);
  const settings = { url: address, clock, onRetry, ...others, ...(tokenServer && { token: () => tokenFrom(address + tokenServer) }) };
  console.log(JSON.stringify({ ...(await outcome(settings, call)), waits, retries }));
}

async function tokenFrom(server) {
  const answer = await fetch(server);
  if (!answer.ok) throw new NoToken();
  return (await answer.json()).access_token;
}

async function outcome(settings, [method, ...parameters]) {
  try {
    const numera = new Numera(settings);
    const result = await numera[method](...parameters);
    return { result: result[Symbol.asyncIterator] ? await all(result) : result };
  } catch (e) {
    if (e instanceof NumeraProblem) {
      return { problem: { status: e.status, kind: e.kind, detail: e.detail, retryAfterSeconds: e.retryAfterSeconds, fields: e.fields } };
    }
    if (e instanceof NumeraUnavailable) return { unavailable: { attempts: e.attempts, status: e.status, message: e.message } };
    if (e instanceof NumeraDifference) return { difference: e.differences.map(({ field }) => field) };
    if (e instanceof NoToken) return { noToken: true };
    if (e instanceof TypeError) return { invalid: true };
    throw e;
  }
}

async function all(iterator) {
  const rows = [];
  for await (const row of iterator) rows.push(row);
  return rows;
}
