#!/usr/bin/env node
// Reads GET .../check page by page and prints the result, one line a gap: see docs/ledger.md. Needs only Node 20 or later.
// Exit code 0: every number is accounted for. 1: numbers are missing, or recorded twice. 2: it could not be checked.
import { parseArgs } from 'node:util';

const USAGE = 'usage: node tools/check-ledger.mjs SEQUENCE_URL [--from NUMBER] [--to NUMBER] [--date YYYY-MM-DD]\n'
  + 'SEQUENCE_URL is such as http://127.0.0.1:7071/api/sequences/App1/invoice; NUMERA_KEY contains a function key of CheckLedger';

class CannotCheck extends Error {}

// Numbers may pass 2^53, where JSON.parse rounds them. Within a JSON string the quote before the colon would be escaped.
const exact = (text) => JSON.parse(text.replace(/"(first|last|from|to)":(-?\d+)/g, '"$1":"$2"'));

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

async function* pages(sequence, parameters) {
  const url = new URL(sequence.replace(/\/$/, '') + '/check');
  Object.entries(parameters).forEach(([name, value]) => url.searchParams.set(name, value));
  let page;
  do {
    page = await get(url);
    yield page;
    url.searchParams.set('continuation', page.continuation);
  } while (page.continuation);
}

const name = (entry) => (entry.key === undefined ? 'an advance' : `the key ${entry.key}`);

function place({ before, after }) {
  if (before && after) return ` between ${name(before)} and ${name(after)}`;
  return before ? ` after ${name(before)}` : after ? ` before ${name(after)}` : '';
}

const SENTENCES = {
  advanced: (gap) => `advanced: ${gap.first} to ${gap.last} were skipped by an advance`,
  unrecorded: (gap) => `unrecorded: ${gap.first} to ${gap.last} were allocated without a key, skipped, or advanced over`,
  missing: (gap) => `gap: ${gap.first} to ${gap.last} are missing${place(gap)}`,
  twice: (gap) => `twice: ${gap.first} to ${gap.last} are under ${name(gap.before)} and under ${name(gap.after)}`,
};

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' }, date: { type: 'string' } },
  });
  if (positionals.length !== 1) throw new CannotCheck(USAGE);
  const ranges = new Map();
  let isWrong = false;
  for await (const { period = '', from, to, gaps } of pages(positionals[0], values)) {
    const label = period && `${period}: `;
    gaps.forEach((gap) => console.log(label + SENTENCES[gap.kind](gap)));
    isWrong ||= gaps.some(({ kind }) => kind === 'missing' || kind === 'twice');
    if (from !== undefined) ranges.set(label, { from: ranges.get(label)?.from ?? from, to });
  }
  if (!isWrong) {
    if (!ranges.size) console.log('complete: no number is allocated yet');
    ranges.forEach(({ from, to }, label) => console.log(`${label}complete ${from} to ${to}`));
  }
  return isWrong ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (e) {
  if (!(e instanceof CannotCheck) && e.code !== 'ERR_INVALID_URL' && !e.code?.startsWith('ERR_PARSE_ARGS')) throw e;
  console.error(e.message);
  process.exitCode = 2;
}
