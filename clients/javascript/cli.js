#!/usr/bin/env node
// Makes one call and prints its answer as JSON; rows of a list or of the ledger one a line. Without arguments it prints its usage.
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
const OPTIONS = ['key', 'count', 'date', 'reason', 'id', 'keyColumn', 'dateColumn', 'text', 'dateFrom', 'dateTo', 'status'];
const CALLS = {
  next: (numera, { sequence, ...options }) => numera.next(sequence, options),
  reserve: (numera, { sequence, key, ...options }) => numera.reserve(sequence, key, options),
  confirm: (numera, { sequence, key }) => numera.confirm(sequence, key),
  void: (numera, { sequence, key, reason }) => numera.voidNumbers(sequence, key, reason),
  batch: (numera, { sequence, id, file, ...options }) => numera.batch(sequence, id, readFileSync(file, 'utf8'), options),
  ledger: (numera, { sequence, ...options }) => numera.ledger(sequence, options),
};
const REQUIRED = { next: [], reserve: ['key'], confirm: ['key'], void: ['key', 'reason'], batch: ['file', 'id'], ledger: [] };

function call() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(OPTIONS.map((name) => [name, { type: 'string' }])),
  });
  const [name, sequence, file] = positionals;
  if (!Object.hasOwn(CALLS, name ?? '') || !sequence) throw new TypeError(USAGE);
  const parameters = { ...values, sequence, ...(file && { file }) };
  const missing = REQUIRED[name].filter((required) => !parameters[required]);
  if (missing.length > 0) throw new TypeError(`numera ${name} needs ${missing.join(' and ')}.\n\n${USAGE}`);
  const numera = new Numera({ url: process.env.NUMERA_URL ?? 'http://127.0.0.1:7071/api', functionKey: process.env.NUMERA_KEY });
  return CALLS[name](numera, parameters);
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
