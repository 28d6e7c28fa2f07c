#!/usr/bin/env node
// Checks the ledger of each sequence with GET .../check and prints one line per gap: see docs/ledger.md. Needs only Node 22 or later.
// Exit code 0: every number is accounted for. 1: numbers are missing, recorded twice, or left out by an import. 2: it could not be checked.
import { parseArgs } from 'node:util';

const USAGE = `usage: node tools/check-ledger.mjs SEQUENCE_URL... [--from NUMBER] [--to NUMBER] [--date DAY]
                                          [--dateFrom DAY --dateTo DAY]

Checks whether every number of each sequence is accounted for, and prints one line a gap.

  SEQUENCE_URL         for example http://127.0.0.1:7071/api/sequences/App1/invoice
  --from, --to         only these numbers
  --date               the period of this day, such as 2026-11-30
  --dateFrom, --dateTo only the documents of these days, such as a month
  NUMERA_KEY           environment variable: a function key of CheckLedger

Exit code 0: every number is accounted for. 1: numbers are missing, recorded twice, or left out by an import. 2: a sequence could not be checked.`;

class CannotCheck extends Error {}

/** Returns a hint for an answer that is not a problem of Numera. */
function advice(status) {
  if (status === 401 || status === 403) return 'Is NUMERA_KEY right?';
  if (status === 404) return 'No Numera answers there: the address is as http://127.0.0.1:7071/api/sequences/App1/invoice.';
  return 'The answer is not Numera\'s: is the address right?';
}

// Numbers may exceed 2^53, beyond which JSON.parse rounds. A match is never inside a JSON string: its quotes would be escaped there.
const exact = (text) => JSON.parse(text.replace(/"(first|last|from|to)":(-?\d+)/g, '"$1":"$2"'));

/** Returns the function key, or nothing. The message of the refusal does not contain it. */
function functionKey() {
  const key = process.env.NUMERA_KEY ?? '';
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new CannotCheck('NUMERA_KEY must have visible ASCII characters only: copy the key again, without spaces and line ends.');
}

async function get(url) {
  const key = functionKey();
  let answer;
  let text;
  try {
    answer = await fetch(url, { headers: key ? { 'x-functions-key': key } : {} });
    text = await answer.text();
  } catch (e) {
    throw new CannotCheck(`${url.origin} does not answer (${e.cause?.message ?? e.message}).`);
  }
  let body;
  try {
    body = exact(text);
  } catch {
    // Another program answered: refused below.
  }
  const type = answer.headers.get('content-type') ?? '';
  const isProblem = type.startsWith('application/problem+json') && body?.detail;
  if (!answer.ok || !type.startsWith('application/json') || !isPage(body)) {
    throw new CannotCheck(`${url.href.split('?')[0]} answered ${answer.status}. ${isProblem ? body.detail : advice(answer.status)}`);
  }
  return body;
}

const isPage = (body) => Array.isArray(body?.gaps) && body.gaps.every(({ kind }) => kind in SENTENCES);

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
  advanced: (gap) => `advanced: ${gap.first} to ${gap.last} were skipped${gap.reason ? `: ${gap.reason}` : ' by an advance'}`,
  unimported: (gap) => `unimported: ${gap.first} to ${gap.last} were left out by ${gap.reason ?? 'an import'}: import them, or accept the gap with POST .../gaps`,
  unrecorded: (gap) => `unrecorded: ${gap.first} to ${gap.last} were allocated without a key, skipped, or advanced over`,
  missing: (gap) => `gap: ${gap.first} to ${gap.last} are missing${place(gap)}`,
  twice: (gap) => `twice: ${gap.first} to ${gap.last} are under ${name(gap.before)} and under ${name(gap.after)}`,
};

/** Prints the gaps of one sequence. Returns whether numbers are missing, recorded twice, or left out by an import. */
async function check(sequence, parameters, prefix) {
  const ranges = new Map();
  let isWrong = false;
  for await (const { period = '', from, to, gaps } of pages(sequence, parameters)) {
    const label = prefix + (period && `${period}: `);
    gaps.forEach((gap) => console.log(label + SENTENCES[gap.kind](gap)));
    isWrong ||= gaps.some(({ kind }) => ['missing', 'twice', 'unimported'].includes(kind));
    if (from !== undefined) ranges.set(label, { from: ranges.get(label)?.from ?? from, to });
  }
  if (!isWrong) {
    if (!ranges.size) console.log(`${prefix}complete: no number is allocated yet`);
    ranges.forEach(({ from, to }, label) => console.log(`${label}complete ${from} to ${to}`));
  }
  return isWrong;
}

/** Checks one sequence. Returns the exit code for a run with only this sequence. */
async function exitCode(sequence, parameters, prefix) {
  try {
    return (await check(sequence, parameters, prefix)) ? 1 : 0;
  } catch (e) {
    console.error(e.code === 'ERR_INVALID_URL' ? `"${sequence}" is no address.` : e.message);
    return 2;
  }
}

async function main() {
  const { values: { help, ...parameters }, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...Object.fromEntries(['from', 'to', 'date', 'dateFrom', 'dateTo'].map((each) => [each, { type: 'string' }])), help: { type: 'boolean', short: 'h' } },
  });
  if (help) {
    console.log(USAGE);
    return 0;
  }
  if (!positionals.length) throw new CannotCheck(USAGE);
  let worst = 0;
  for (const sequence of positionals) {
    worst = Math.max(worst, await exitCode(sequence, parameters, positionals.length > 1 ? `${sequence}: ` : ''));
  }
  return worst;
}

try {
  process.exitCode = await main();
} catch (e) {
  console.error(e.message);
  process.exitCode = 2;
}
