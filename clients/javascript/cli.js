#!/usr/bin/env node
// Makes one call and prints its answer as JSON; for a list or the ledger, one row on each line. Prints its usage without arguments.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Numera, NumeraProblem, NumeraUnavailable } from './numera.js';

const USAGE = `numera next SEQUENCE [--key KEY] [--count N] [--date DATE]
numera reserve SEQUENCE --key KEY [--count N] [--date DATE]
numera confirm SEQUENCE --key KEY
numera void SEQUENCE --key KEY --reason REASON
numera batch SEQUENCE FILE --id ID [--keyColumn NAME] [--dateColumn NAME]
numera ledger SEQUENCE [--key KEY] [--text TEXT] [--date DATE] [--dateFrom DATE] [--dateTo DATE] [--status STATUS]

SEQUENCE is scope/name, FILE has CSV. NUMERA_URL is the address of the API (http://127.0.0.1:7071/api), NUMERA_KEY a function key.
Exits with 1 for a refusal, 2 for wrong arguments, 75 when there was no usable answer: make the same call later.`;

const REFUSED = 1;
const WRONG_ARGUMENTS = 2;
const TRY_LATER = 75;
const CALLS = {
  next: { options: ['key', 'count', 'date'], make: (numera, { sequence, ...options }) => numera.next(sequence, options) },
  reserve: {
    required: ['key'],
    options: ['key', 'count', 'date'],
    make: (numera, { sequence, key, ...options }) => numera.reserve(sequence, key, options),
  },
  confirm: { required: ['key'], options: ['key'], make: (numera, { sequence, key }) => numera.confirm(sequence, key) },
  void: {
    required: ['key', 'reason'],
    options: ['key', 'reason'],
    make: (numera, { sequence, key, reason }) => numera.voidNumbers(sequence, key, reason),
  },
  batch: {
    arguments: ['sequence', 'file'],
    required: ['file', 'id'],
    options: ['id', 'keyColumn', 'dateColumn'],
    make: (numera, { sequence, id, file, ...options }) => numera.batch(sequence, id, readFileSync(file, 'utf8'), options),
  },
  ledger: {
    options: ['key', 'text', 'date', 'dateFrom', 'dateTo', 'status'],
    make: (numera, { sequence, ...options }) => numera.ledger(sequence, options),
  },
};

function call() {
  const [name, ...args] = process.argv.slice(2);
  if (!Object.hasOwn(CALLS, name ?? '')) throw new TypeError(USAGE);
  const { arguments: expected = ['sequence'], required = [], options, make } = CALLS[name];
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: Object.fromEntries(options.map((option) => [option, { type: 'string' }])) });
  if (positionals.length === 0 || positionals.length > expected.length) throw new TypeError(USAGE);
  const parameters = { ...values, ...Object.fromEntries(positionals.map((value, i) => [expected[i], value])) };
  const missing = required.filter((parameter) => !parameters[parameter]);
  if (missing.length > 0) throw new TypeError(`numera ${name} needs ${missing.join(' and ')}.\n\n${USAGE}`);
  const numera = new Numera({ url: process.env.NUMERA_URL ?? 'http://127.0.0.1:7071/api', functionKey: process.env.NUMERA_KEY });
  return make(numera, parameters);
}

try {
  const result = await call();
  if (result[Symbol.asyncIterator]) {
    for await (const row of result) console.log(JSON.stringify(row));
  } else {
    console.log(JSON.stringify(result));
  }
} catch (e) {
  console.error(e instanceof NumeraProblem ? JSON.stringify({ status: e.status, ...e.fields }) : e.message);
  process.exitCode = e instanceof NumeraProblem ? REFUSED : e instanceof NumeraUnavailable ? TRY_LATER : WRONG_ARGUMENTS;
}
