#!/usr/bin/env node
// Estimates what Numera uses in a month of 30 days, at rest and by numbers per day: docs/cost.md explains it. Needs only Node 22 or later.
// It contains no prices. With --prices FILE it adds the costs, and prints the date of the prices.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = `usage: node tools/cost.mjs [--numbers N]... [--hours H] [--memory MB] [--batch N] [--cache N] [--key CHARACTERS]
    [--test SECONDS] [--timer SECONDS] [--ready N] [--prices FILE]
--numbers a day, once or more (10000 and 1000000); --hours of the day in which they are requested (8); --memory of an instance (2048);
--batch numbers in one call or message (98); --cache cacheSize (100); --key length of a key (20); --test the availability test's
interval, 0 for none (0); --timer billed seconds of a timer's run (3); --ready instances that are always ready (0): with zone redundancy two for
each of five groups of functions. A file of prices:
{"date": "YYYY-MM-DD", "currency": "EUR", "gbSecond": 0, "millionExecutions": 0, "tenThousandRequests": 0, "gbStored": 0, "gbLogged": 0,
 "bytesALogLine": 0, "readyGbSecond": 0, "availabilityTest": 0, "alertRule": {"PT5M": 0, "PT15M": 0, "PT30M": 0, "PT6H": 0}, "freeGbSeconds": 0, "freeExecutions": 0}
The prices are those of a month, of your region and agreement; gbStored of one GB kept for a month; readyGbSecond of an always-ready
instance whether or not it works; availabilityTest of one test from one place. A "note" is printed beside the date. tools/prices.example.json is
an example.`;

class CannotTell extends Error {}

const DAYS = 30;
const DAY_SECONDS = 86_400;
const SHORTEST_BILLED_SECONDS = 1;
// Between two runs the host and the JVM have mostly stopped. Each run therefore includes the creation of the client and the process's first
// token.
const TIMER_SECONDS = 3;
const KEYS_IN_A_TRANSACTION = 98;
const DEFINITION_KEPT_SECONDS = 25;
const BLOCK_FRESH_SECONDS = 30;
const LOOKS_A_SECOND = 10;
const LEASE_WRITES_A_MINUTE = 6;
const TEST_PLACES = 5;
// One line in AppRequests, and the host's lines Executing and Executed in AppTraces.
const LOG_LINES_A_RUN = 3;
// The requests to get the message, delete it, and send the result.
const QUEUE_REQUESTS_A_MESSAGE = 3;
// /health and WatchPoison each read from three tables. WatchPoison also reads the length of the queue.
const HEALTH_REQUESTS = 3;
const WATCH_RUNS_A_DAY = 96;

// The stored size of ledger rows with a text, a period and six digits, as CostIT measures it. Each key is in its own row and in its group's
// row.
const KEY_ROW_BYTES = 652;
const KEY_ROW_BYTES_A_CHARACTER = 2;
const GROUP_ROW_BYTES = 412;
const GROUP_ROW_BYTES_A_KEY = 68;
const GROUP_ROW_BYTES_A_CHARACTER = 2;

function number(values, name, least) {
  const value = Number(values[name]);
  if (!Number.isFinite(value) || value < least) throw new CannotTell(`--${name} must be a number from ${least} on.\n${USAGE}`);
  return value;
}

function options() {
  const text = (byDefault) => ({ type: 'string', default: byDefault });
  const { values } = parseArgs({
    options: {
      numbers: { type: 'string', multiple: true, default: ['10000', '1000000'] },
      hours: text('8'), memory: text('2048'), batch: text('98'), cache: text('100'), key: text('20'), test: text('0'), timer: text(String(TIMER_SECONDS)), ready: text('0'), prices: { type: 'string' },
    },
  });
  const hours = number(values, 'hours', 0.1);
  if (hours > 24) throw new CannotTell('--hours must be at most 24.');
  return {
    perDay: values.numbers.map((each) => number({ numbers: each }, 'numbers', 1)),
    seconds: hours * 3_600,
    gigabytes: number(values, 'memory', 512) / 1_024,
    batch: Math.min(number(values, 'batch', 1), KEYS_IN_A_TRANSACTION),
    cache: number(values, 'cache', 1),
    keyLength: number(values, 'key', 1),
    testSeconds: number(values, 'test', 0),
    timerSeconds: number(values, 'timer', SHORTEST_BILLED_SECONDS),
    ready: number(values, 'ready', 0),
    prices: values.prices && prices(values.prices),
  };
}

function prices(file) {
  const read = JSON.parse(readFileSync(file, 'utf8'));
  const needed = ['gbSecond', 'millionExecutions', 'tenThousandRequests', 'gbStored', 'gbLogged', 'bytesALogLine', 'readyGbSecond', 'availabilityTest',
    'freeGbSeconds', 'freeExecutions'];
  for (const name of needed) {
    if (typeof read[name] !== 'number') throw new CannotTell(`${file} lacks the number ${name}.\n${USAGE}`);
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(read.date ?? '') || !read.currency || !read.alertRule) {
    throw new CannotTell(`${file} lacks date, currency or alertRule.\n${USAGE}`);
  }
  return read;
}

// The seconds of a day in which at least one of the runs is in progress. The runs start at random, and each is billed for at least a
// second.
const busySeconds = (runs, seconds) => seconds * (1 - Math.exp((-runs / seconds) * SHORTEST_BILLED_SECONDS));

const month = (day) => Object.fromEntries(Object.entries(day).map(([name, value]) => [name, value * DAYS]));

const testsADay = ({ testSeconds }) => (testSeconds ? (TEST_PLACES * DAY_SECONDS) / testSeconds : 0);

/** Returns the daily use without any call for numbers. */
function atRest(given) {
  const { gigabytes, timerSeconds } = given;
  const tests = testsADay(given);
  const timers = WATCH_RUNS_A_DAY + 2;
  const requests = WATCH_RUNS_A_DAY * (HEALTH_REQUESTS + 1) + tests * HEALTH_REQUESTS;
  const active = timers * timerSeconds + tests * SHORTEST_BILLED_SECONDS;
  return {
    runs: timers + tests, active, gbSeconds: active * gigabytes, requests, operations: requests, ledgerBytes: 0,
    logLines: (timers + tests) * LOG_LINES_A_RUN,
  };
}

const ledgerBytes = (numbers, groups, keyLength) =>
  numbers * (KEY_ROW_BYTES + keyLength * KEY_ROW_BYTES_A_CHARACTER + GROUP_ROW_BYTES_A_KEY + keyLength * GROUP_ROW_BYTES_A_CHARACTER)
  + groups * GROUP_ROW_BYTES;

const LISTED = ['strict', 'gapless'];

/** The writes for one day's numbers of one sequence, by guarantee. */
const WRITES = {
  strict: (runs) => ({ writes: runs, operations: runs, keys: 0, groups: 0 }),
  gapless: (runs, numbers) => ({ writes: runs, operations: 2 * runs + numbers, keys: numbers, groups: runs }),
  cached: (runs, numbers, { cache }) => {
    const blocks = Math.min(runs, Math.ceil(numbers / cache));
    return { writes: blocks, operations: blocks, keys: 0, groups: 0 };
  },
  snowflake: (runs, numbers, { active }) => {
    const renewals = Math.ceil((active / 60) * LEASE_WRITES_A_MINUTE);
    return { writes: renewals, operations: renewals, keys: 0, groups: 0 };
  },
};

function day(guarantee, numbers, isBatch, given) {
  const runs = isBatch ? Math.ceil(numbers / given.batch) : numbers;
  const active = busySeconds(runs, given.seconds);
  const isQueue = isBatch && guarantee === 'gapless';
  const { writes, operations, keys, groups } = WRITES[guarantee](runs, numbers, { ...given, active });
  // An instance looks for requests of other instances at most ten times a second, while its writes follow each other within a tenth of a
  // second.
  const looks = writes / given.seconds > LOOKS_A_SECOND ? Math.min(writes, LOOKS_A_SECOND * given.seconds) : 0;
  const definitions = Math.min(runs, given.seconds / DEFINITION_KEPT_SECONDS);
  const blockReads = guarantee === 'cached' ? Math.min(runs, given.seconds / BLOCK_FRESH_SECONDS) : 0;
  const others = looks + definitions + blockReads + (isQueue ? runs * QUEUE_REQUESTS_A_MESSAGE : 0);
  return {
    runs, active, gbSeconds: active * given.gigabytes, requests: writes + others, operations: operations + others,
    ledgerBytes: ledgerBytes(keys, groups, given.keyLength), logLines: runs * LOG_LINES_A_RUN,
  };
}

function rules() {
  const all = JSON.parse(readFileSync(new URL('../infra/app/alerts.json', import.meta.url), 'utf8'));
  const counts = {};
  for (const { frequency } of all) counts[frequency] = (counts[frequency] ?? 0) + 1;
  return counts;
}

function money(used, rest, price) {
  const beyond = (amount, before, free) => Math.max(0, amount + before - free) - Math.max(0, before - free);
  return beyond(used.gbSeconds, rest.gbSeconds, price.freeGbSeconds) * price.gbSecond
    + (beyond(used.runs, rest.runs, price.freeExecutions) / 1e6) * price.millionExecutions
    + (used.operations / 1e4) * price.tenThousandRequests
    + (used.ledgerBytes / 1e9) * price.gbStored
    + ((used.logLines * price.bytesALogLine) / 1e9) * price.gbLogged;
}

function alertMoney(price) {
  return Object.entries(rules()).reduce((sum, [frequency, count]) => {
    if (typeof price.alertRule[frequency] !== 'number') throw new CannotTell(`alertRule lacks the price of ${frequency}.`);
    return sum + count * price.alertRule[frequency];
  }, 0);
}

const whole = (value) => Math.round(value).toLocaleString('en-US');
const three = (value) => (value === 0 ? '0' : Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 }));

function line(what, used, price, amount) {
  const cells = [what, ...[used.runs, used.gbSeconds, used.requests, used.operations].map(whole), three(used.ledgerBytes / 1e9),
    whole(used.logLines)];
  if (price) cells.push(amount.toFixed(2));
  return `| ${cells.join(' | ')} |`;
}

function main() {
  const given = options();
  const { prices: price } = given;
  const rest = month(atRest(given));
  console.log(`In a month of ${DAYS} days: numbers requested at random in ${given.seconds / 3600} hours of each day, instances of ${given.gigabytes} GB, `
    + `lists of ${given.batch}, timers that run ${given.timerSeconds} s, \`cacheSize\` ${given.cache}, keys of ${given.keyLength} characters, `
    + (given.testSeconds ? `the availability test every ${given.testSeconds} s.` : 'no availability test.'));
  console.log(`Alert rules: ${Object.entries(rules()).map(([frequency, count]) => `${count} every ${frequency}`).join(', ')}.`);
  const tests = testsADay(given) * DAYS;
  if (tests) console.log(`Tests from outside: ${whole(tests)}.`);
  const readyGbSeconds = given.ready * given.gigabytes * DAY_SECONDS * DAYS;
  if (readyGbSeconds) console.log(`Always ready: ${given.ready} instances, ${whole(readyGbSeconds)} GB-seconds whether or not they work.`);
  console.log(price
    ? `Prices of ${price.date}, in ${price.currency}${price.note ? ` (${price.note})` : ''}; alert rules ${alertMoney(price).toFixed(2)}, tests from outside ${(tests * price.availabilityTest).toFixed(2)}, `
      + `always ready ${(readyGbSeconds * price.readyGbSecond).toFixed(2)}.\n`
    : 'Without prices.\n');
  console.log(`| what | runs | GB-seconds | storage requests | operations | ledger GB added | log lines |${price ? ` ${price.currency} |` : ''}`);
  console.log(`|---|---|---|---|---|---|---|${price ? '---|' : ''}`);
  console.log(line('at rest', rest, price, price && money(rest, { gbSeconds: 0, runs: 0 }, price)));
  for (const numbers of given.perDay) {
    for (const guarantee of Object.keys(WRITES)) {
      // Without keys, lists cost nearly the same for every guarantee.
      for (const isBatch of LISTED.includes(guarantee) ? [false, true] : [false]) {
        const used = month(day(guarantee, numbers, isBatch, given));
        const what = `${whole(numbers)} a day, ${guarantee}, ${isBatch ? 'in lists' : 'one at a time'}`;
        console.log(line(what, used, price, price && money(used, rest, price)));
      }
    }
  }
}

try {
  main();
} catch (e) {
  console.error(e instanceof CannotTell || e.code ? e.message : e);
  process.exitCode = 2;
}
