#!/usr/bin/env node
// Checks that every number of a gapless sequence stands in its ledger: see docs/ledger.md. Needs Node 20 or later and nothing else.
// Exit code 0: complete. 1: a hole, or a number that stands there twice. 2: it could not be checked.
import { parseArgs } from 'node:util';

const USAGE = 'usage: node tools/check-ledger.mjs SEQUENCE_URL [--from NUMBER] [--date YYYY-MM-DD]\n'
  + 'SEQUENCE_URL is such as http://127.0.0.1:7071/api/sequences/App1/invoice; a function key stands in NUMERA_KEY';

class CannotCheck extends Error {}

// Numbers may pass 2^53, where JSON.parse rounds them. Within a JSON string the quote before the colon would be escaped.
const exact = (text) => JSON.parse(text.replace(/"(first|last|next|start|increment)":(-?\d+)/g, '"$1":"$2"'));

async function get(url) {
  const key = process.env.NUMERA_KEY;
  let answer;
  try {
    answer = await fetch(url, { headers: key ? { 'x-functions-key': key } : {} });
  } catch (e) {
    throw new CannotCheck(`${url.origin} does not answer (${e.cause?.message ?? e.message}).`);
  }
  const text = await answer.text();
  if (!answer.ok) {
    throw new CannotCheck(`${url.pathname} answered ${answer.status}. ${text.startsWith('{') ? JSON.parse(text).detail : 'Is NUMERA_KEY right?'}`);
  }
  return exact(text);
}

function sequence(base, date) {
  return (call, parameters = {}) => {
    const url = new URL(base.replace(/\/$/, '') + call);
    const all = call && date ? { date, ...parameters } : parameters;
    Object.entries(all).forEach(([name, value]) => url.searchParams.set(name, value));
    return get(url);
  };
}

async function* entries(call, from, to) {
  let continuation;
  do {
    const page = await call('/ledger', { from, to, limit: 1000, ...(continuation && { continuation }) });
    yield* page.entries;
    continuation = page.continuation;
  } while (continuation);
}

const name = (entry) => (entry.kind === 'advance' ? 'an advance' : `the key ${entry.key}`);

// The ledger is in number order, whatever the direction of the series.
async function check(call, low, high, step) {
  let expected = low;
  let before;
  for await (const entry of entries(call, low, high)) {
    const [first, last] = [BigInt(entry.first), BigInt(entry.last)].sort((a, b) => (a < b ? -1 : 1));
    if (first > expected) return hole(expected, first - step, before, entry);
    if (before && first <= expected - step) return `twice: ${first} stands under ${name(before)} and under ${name(entry)}`;
    if (entry.kind === 'advance') console.log(`advanced over: ${first} to ${last} were given to nobody`);
    // An advance ends at whatever number lies before the new next one, not only at those that the increment leads to.
    expected += ((last - expected) / step + 1n) * step;
    before = entry;
  }
  return expected <= high ? hole(expected, high, before) : undefined;
}

function hole(from, to, before, after) {
  const place = before && after ? `between ${name(before)} and ${name(after)}` : before ? `after ${name(before)}` : after ? `before ${name(after)}` : 'from the whole ledger';
  return `hole: ${from} to ${to} are missing ${place}`;
}

async function main() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { from: { type: 'string' }, date: { type: 'string' } } });
  if (positionals.length !== 1 || (values.from && !/^-?\d+$/.test(values.from))) throw new CannotCheck(USAGE);
  const call = sequence(positionals[0], values.date);
  const definition = await call('');
  if (definition.guarantee !== 'gapless') {
    throw new CannotCheck(`The sequence is ${definition.guarantee}: only a gapless one has every number in its ledger.`);
  }
  const increment = BigInt(definition.increment);
  const first = BigInt(values.from ?? definition.start);
  // Read before the ledger: what is given meanwhile stands beyond it.
  const last = BigInt((await call('/state')).next) - increment;
  if (increment > 0n ? last < first : last > first) {
    console.log('complete: no number was given yet');
    return 0;
  }
  const [low, high, step] = increment > 0n ? [first, last, increment] : [last, first, -increment];
  const wrong = await check(call, low, high, step);
  console.log(wrong ?? `complete ${first} to ${last}`);
  return wrong ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (e) {
  if (!(e instanceof CannotCheck) && e.code !== 'ERR_INVALID_URL' && !e.code?.startsWith('ERR_PARSE_ARGS')) throw e;
  console.error(e.message);
  process.exitCode = 2;
}
