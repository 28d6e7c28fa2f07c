// Tests the console's logic, and what its views do, without a browser.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {bundled} from './bundled.mjs';
import {printed} from './printed.mjs';
import './views.mjs';

const SOURCES = new URL('../../../../console/src/', import.meta.url);
const FILES = readdirSync(SOURCES, {recursive: true}).filter(name => name.endsWith('.ts'));
const read = name => readFileSync(new URL(name, SOURCES), 'utf8');

const names = await bundled('names.ts');
const problems = await bundled('problems.ts');
const calls = await bundled('calls.ts');
const terms = await bundled('terms.ts');
const words = await bundled('words.ts');
const poison = await bundled('views/poison.ts');
const lifecycle = await bundled('views/lifecycle.ts');
const history = await bundled('views/history.ts');
const inspection = await bundled('views/inspection.ts');
const finals = await bundled('views/finalChanges.ts');
const scopes = await bundled('views/scopes.ts');
const likely = await bundled('views/likely.ts');
const attention = await bundled('views/attention.ts');
const perMonth = await bundled('views/perMonth.ts');

test('names that differ by case, separators or a plural are alike', () => {
  const alike = [['invoice', 'Invoice'], ['invoice', 'invoices'], ['credit-note', 'CreditNotes'], ['entry', 'entries'], ['box', 'boxes'], ['a.b', 'a_b']];
  const different = [['invoice', 'invoice'], ['invoice', 'order'], ['class', 'clas'], ['as', 'a'], ['invoice-1', 'invoice-2']];
  alike.forEach(([one, other]) => assert.ok(names.areAlike(one, other), `${one} ${other}`));
  different.forEach(([one, other]) => assert.ok(!names.areAlike(one, other), `${one} ${other}`));
});

test('names of dots, and scopes but ~ that start with a sign, are refused', () => {
  for (const bad of ['.', '..', '-a', 'a b', 'ä', 'a/b', 'x'.repeat(64)]) assert.ok(names.nameProblem(bad), bad);
  for (const good of ['', 'a', 'A1.b_c~d-e', 'x'.repeat(63)]) assert.equal(names.nameProblem(good), undefined, good);
  assert.ok(names.nameProblem('~'));
  assert.equal(names.scopeProblem('~'), undefined);
});

test('a problem is shown with its facts, and one of an unknown type in the words of the service', () => {
  const said = (type, members) => problems.inOneLine({type: `urn:problem-type:numera:${type}`, detail: 'PATCH it', ...members});
  assert.match(said('date-order', {lastDate: '2026-11-03'}), /The last date used is 3 Nov 2026\. Choose that date or a later one\./);
  assert.match(said('exhausted', {left: 1}), /Only 1 is left/);
  assert.match(said('invalid-request', {errors: [{field: 'count', reason: 'must be 1 to 10,000'}]}), /count must be 1 to 10,000/);
  assert.equal(said('from-the-future', {title: 'New'}), 'New. PATCH it');
});

test('dates and times are English and name their zone', () => {
  assert.equal(words.day('2026-02-03'), '3 Feb 2026');
  assert.equal(words.day('soon'), 'soon');
  assert.equal(words.day('2026-02-30'), '2026-02-30');
  assert.match(words.moment('2026-02-03T04:05:06Z'), /^\d+ Feb 2026, \d\d:\d\d \S+$/);
});

test('the day of an instant is known in each fixed offset that the service takes', () => {
  const dayIn = (zone, time) => words.today(zone, new Date(`2026-11-30T${time}Z`));
  for (const zone of ['Z', 'UTC', 'GMT', 'UT', undefined]) assert.equal(dayIn(zone, '23:59:59'), '2026-11-30', zone);
  for (const zone of ['UTC-10:00', '-1000', '-10', 'GMT-10', 'UT-10:00:00', 'Pacific/Honolulu']) {
    assert.deepEqual([dayIn(zone, '09:59:59'), dayIn(zone, '10:00:00')], ['2026-11-29', '2026-11-30'], zone);
  }
  for (const zone of ['UTC+5', '+5', 'GMT+05:00', '+050000']) {
    assert.deepEqual([dayIn(zone, '18:59:59'), dayIn(zone, '19:00:00')], ['2026-11-30', '2026-12-01'], zone);
  }
  assert.equal(dayIn('+05:30', '18:30:00'), '2026-12-01');
});

test('amounts are written out, and sentences end once', () => {
  assert.equal(words.about(9_007_199_254_740_945), '9 quadrillion');
  assert.equal(words.about(2_147_483_647), '2 billion');
  assert.equal(words.about(9007), '9,007');
  assert.deepEqual(['broken', 'broken.', 'why?'].map(words.sentence), ['broken.', 'broken.', 'why?']);
});

test('alike messages are one group, in the order of the first of each', () => {
  const of = (id, name, problem, canRequeue = true) => ({
    id, canRequeue, insertedAt: '', expiresAt: '', text: JSON.stringify({scope: 's', name, keys: ['k']}), ...(problem && {problem: {type: problem, detail: id}}),
  });
  const groups = poison.groupsOf([of('1', 'a', 'retired'), of('2', 'b'), of('3', 'a', 'retired'), of('4', 'a', 'exhausted'), of('5', 'a', 'retired', false)]);
  assert.deepEqual(groups.map(({messages}) => messages.map(({message}) => message.id)), [['1', '3'], ['2'], ['4'], ['5']]);
});

test('an advance is judged before it is confirmed', () => {
  assert.deepEqual(lifecycle.advanced(3, 2, '8'), {next: 9n, passed: 3n});
  assert.deepEqual(lifecycle.advanced(3, 2, '1'), {next: 3n, passed: 0n});
  assert.deepEqual(lifecycle.advanced(-3, -2, '-8'), {next: -9n, passed: 3n});
  assert.equal(lifecycle.advanceProblem('8', 3n, 4), undefined);
  assert.match(lifecycle.advanceProblem('8', 3n, 3), /Beyond the range: 3 numbers are left/);
  assert.match(lifecycle.advanceProblem('8.5', undefined, 3), /whole number/);
});

test('what cannot be undone is named, and nothing else', () => {
  const before = {dateOrder: 'ascending', maxValue: '99', minValue: '', timeZone: ''};
  assert.equal(finals.finalChanges(before, {description: 'x', warnAtPercent: 5}).length, 0);
  assert.equal(finals.finalChanges(before, {maxValue: 98}).length, 0);
  assert.equal(finals.finalChanges(before, {maxValue: 100, dateOrder: 'none', minValue: -5, timeZone: 'UTC'}).length, 4);
  assert.equal(finals.finalChanges({...before, dateOrder: 'none'}, {dateOrder: 'none'}).length, 0);
});

test('a month has its days, and a fiscal year its months', async () => {
  const months = await bundled('views/months.ts');
  assert.deepEqual(months.daysOfMonth('2028-02'), ['2028-02-01', '2028-02-29']);
  assert.deepEqual(months.daysOfMonth('2026-12'), ['2026-12-01', '2026-12-31']);
  const last = months.monthsUntilNow({timeZone: 'UTC'}, 13);
  assert.equal(last[0], new Date().toISOString().slice(0, 7));
  assert.equal(last[12], `${Number(last[0].slice(0, 4)) - 1}${last[0].slice(4)}`);
  const [first, end] = months.thisYear({timeZone: 'UTC', fiscalYearStart: 4});
  assert.match(first, /-04-01$/);
  assert.match(end, /-03-31$/);
  const [firstDay, lastDay] = months.thisYear({timeZone: 'UTC', fiscalYearStart: '04-06'});
  assert.equal(firstDay.slice(4), '-04-06');
  assert.equal(lastDay, `${Number(firstDay.slice(0, 4)) + 1}-04-05`);
  assert.ok(firstDay <= new Date().toISOString().slice(0, 10));
  const calendar = months.thisYear({timeZone: 'UTC'});
  assert.deepEqual(calendar.map((day) => day.slice(4)), ['-01-01', '-12-31']);
});

test('a quarter has the name of its fiscal year, and a day', async () => {
  const britain = {resetEvery: 'quarter', fiscalYearStart: '04-06'};
  assert.equal(words.periodName('2027-Q4', britain), '2026/27 Q4');
  assert.equal(words.periodName('2027-Q4', {resetEvery: 'quarter', fiscalYearStart: 1}), '2027 Q4');
  assert.equal(words.periodName('2027-04', {resetEvery: 'month', fiscalYearStart: 4}), '2027-04');
  assert.deepEqual(['2027-Q1', '2027-Q4', '2027', '2027-11', undefined].map((period) => words.dayOf(period, britain)),
    ['2026-04-06', '2027-01-06', '2027-01-01', '2027-11-01', undefined]);
  assert.equal(words.dayOf('2027-Q2', {resetEvery: 'quarter'}), '2027-04-01');
});

test('the history of a number starts with how it was taken', () => {
  const entry = {kind: 'allocation', allocatedAt: 'then', actor: 'anna'};
  const voided = {status: 'void', at: 'later', reason: 'torn', actor: 'ben', actorId: 'aad:8'};
  assert.deepEqual(history.stepsOf({...entry, history: [{status: 'reserved', at: 'then', actor: 'anna'}, {status: 'issued', at: 'soon'}, voided]}),
    [['Reserved', 'then', 'anna', undefined, undefined], ['Confirmed', 'soon', undefined, undefined, undefined], ['Voided', 'later', 'ben', 'torn', 'aad:8']]);
  assert.deepEqual(history.stepsOf({...entry, kind: 'import', status: 'void', statusAt: 'later', reason: 'torn', statusActor: 'ben'}),
    [['Imported', 'then', 'anna', undefined, undefined], ['Voided', 'later', 'ben', 'torn', undefined]]);
  assert.deepEqual(history.stepsOf(entry), [['Allocated', 'then', 'anna', undefined, undefined]]);
});

test('a column has one role, and the column of a role that is given up is ignored', () => {
  const names = ['Key', 'number', 'Text', 'Day'];
  assert.equal(inspection.columnOf('keyColumn', {}, names), 'Key');
  assert.equal(inspection.columnOf('dateColumn', {dateColumn: 'Day'}, names), 'Day');
  assert.equal(inspection.columnOf('textColumn', {ignore: ['text']}, names), '');
  assert.deepEqual(inspection.withRole({dateFormat: 'd.M.yyyy', grouping: '.'}, 'dateColumn', 'Day', ''), {grouping: '.', dateColumn: 'Day', ignore: []});
  assert.deepEqual(inspection.withRole({reasonColumn: 'Day'}, 'dateColumn', 'Day', ''), {dateColumn: 'Day', ignore: []});
  assert.deepEqual(inspection.withRole({}, 'textColumn', '', 'Text'), {ignore: ['Text']});
  assert.deepEqual(inspection.withRole({ignore: ['Text']}, 'textColumn', 'Text', ''), {textColumn: 'Text', ignore: []});
});

test('another structure of the file forgets the columns', () => {
  const stated = {keyColumn: 'Order', until: 'Total', separator: ';', dateFormat: 'dd.MM.yyyy'};
  assert.deepEqual(inspection.withParameter(stated, 'headerLine', '4'), {until: 'Total', separator: ';', headerLine: '4'});
  assert.deepEqual(inspection.withParameter(stated, 'dateFormat', ''), {keyColumn: 'Order', until: 'Total', separator: ';'});
});

test('what will be stored is said in words', () => {
  const range = {numbers: 2999, firstDate: '2024-01-02', lastDate: '2026-11-27', firstText: 'RE-2024-00001', lastText: 'RE-2026-00812'};
  assert.equal(inspection.storedBy({range}), '2,999 numbers, dated 2 January 2024 to 27 November 2026, RE-2024-00001 to RE-2026-00812');
  assert.equal(inspection.storedBy({range: {numbers: 1, firstDate: '2024-01-02', lastDate: '2024-01-02', firstText: '7', lastText: '7'}}), '1 number, dated 2 January 2024, 7');
  assert.equal(inspection.storedBy({}), undefined);
});

test('a notation is shown with the day that it reads', () => {
  assert.equal(inspection.readAs('03.04.2025', 'dd.MM.yyyy'), '3 April 2025');
  assert.equal(inspection.readAs('3/4/2025', 'M/d/yyyy'), '4 March 2025');
  assert.equal(inspection.readAs('13.04.2025', 'MM.dd.yyyy'), undefined);
  assert.equal(inspection.readAs('03.04.25', 'dd.MM.yy'), undefined);
});

test('dates in a list of keys are decided by the user, unless they have one reading', () => {
  const [iso, open] = [{name: 'Day', looksLike: 'dates', dateFormats: ['yyyy-MM-dd']}, {name: 'Tag', looksLike: 'ambiguous-dates', dateFormats: ['dd.MM.yyyy', 'MM.dd.yyyy']}];
  assert.match(inspection.undecidedDates([open], {}).dateColumn, /Tag has dates/);
  assert.deepEqual(Object.keys(inspection.undecidedDates([iso, open], {dateColumn: 'Tag'})), ['dateFormat']);
  assert.deepEqual(inspection.undecidedDates([iso, open], {dateColumn: 'Day'}), {});
  assert.deepEqual(inspection.undecidedDates([open], {dateColumn: 'Tag', dateFormat: 'dd.MM.yyyy'}), {});
  assert.deepEqual(inspection.undecidedDates([open], {ignore: ['tag']}), {});
});

test('words of a status map keep commas, equal signs and backslashes', () => {
  const pairs = new Map([['ja, ganz', 'void'], ['a=b\\c', 'issued'], ['offen', '']]);
  assert.equal(inspection.statusMapOf(pairs), 'ja\\, ganz=void,a\\=b\\\\c=issued');
  assert.deepEqual([...inspection.pairsOf(inspection.statusMapOf(pairs))], [['ja, ganz', 'void'], ['a=b\\c', 'issued']]);
  assert.deepEqual([...inspection.pairsOf('ja=void,nein')], [['ja', 'void']]);
});

test('rights name the scopes that a list can show', () => {
  const rights = ['Numera.Read:shop', 'Numera.Read:eu-*', 'Numera.Define:eu-7', 'Other.Role'];
  assert.deepEqual(scopes.scopesOf(rights, 'Read'), {isAll: false, named: ['shop'], starts: ['eu-']});
  assert.deepEqual(scopes.scopesOf(rights, 'Define'), {isAll: false, named: ['eu-7'], starts: []});
  assert.ok(scopes.scopesOf(['all'], 'Read').isAll);
  assert.ok(scopes.scopesOf(['Numera.Read'], 'Read').isAll);
  assert.ok(!scopes.scopesOf(['Numera.Reader'], 'Read').isAll);
});

test('documents are counted by month, without a first month that may be incomplete', () => {
  const of = (date, count = 1, kind = 'allocation') => ({kind, date, count});
  const entries = [of('2026-08-31'), of('2026-09-01'), of('2026-09-30', 3), of('2026-11-02', 1, 'import'), {kind: 'advance', first: 9, last: 12}];
  assert.deepEqual(perMonth.countsOf(entries, true), [['2026-08', 1], ['2026-09', 4], ['2026-10', 0], ['2026-11', 1]]);
  assert.deepEqual(perMonth.countsOf(entries, false), [['2026-09', 4], ['2026-10', 0], ['2026-11', 1]]);
  assert.deepEqual(perMonth.countsOf([], true), []);
});

test('no file imports itself over others', async () => {
  const imports = new Map(FILES.map(name => [new URL(name, SOURCES).href, [...read(name).matchAll(/(?:from|import\(?)\s*'(\.[^']*\.ts)'/g)]
    .map(([, to]) => new URL(to, new URL(name, SOURCES)).href)]));
  assert.ok(imports.size > 40);
  const circle = (file, path = []) => path.includes(file) ? [...path.slice(path.indexOf(file)), file]
    : seen.has(file) ? undefined : (imports.get(file) ?? []).map(to => circle(to, [...path, file])).find(Boolean) ?? (seen.add(file), undefined);
  const seen = new Set();
  assert.equal(FILES.map(name => circle(new URL(name, SOURCES).href)).find(Boolean)?.join(' → '), undefined);
});

/** Strings with a capital letter that only programs read. */
const NOT_PRINTED = ['GET', 'UTC', 'If-Match', 'If-None-Match', 'Idempotency-Key'];

test('each word is printed from one source', () => {
  const sources = new Map();
  FILES.forEach(name => printed(read(name)).map(text => text.replace(/ ?[…:.]+$/, '')).filter(text => !(text in calls.CALLS) && !NOT_PRINTED.includes(text))
    .forEach(text => sources.set(text, (sources.get(text) ?? new Set()).add(name))));
  assert.ok(sources.size > 500);
  assert.deepEqual([...sources].filter(([, places]) => places.size > 1).map(([text, places]) => `${text}: ${[...places].join(', ')}`), []);
  const messages = Object.values(terms).filter(term => typeof term === 'string' && term.split(' ').length > 2);
  assert.ok(messages.length > 3);
  assert.deepEqual(FILES.filter(name => name !== 'terms.ts').flatMap(name => messages.filter(message => read(name).includes(message)).map(message => `${message} ${name}`)), []);
});

test('printed words are found in markup, strings and sentences, and not in comments or code', () => {
  const source = "// 'No'\nconst a = 'reserved'; const b = /'/.test(c) ? 'Yes' : `${d} were not there ${e}`;\nhtml`<p title=\"A title\">${f && html`<b>inner</b>`} word</p>`; /* `No` */ const g = {title: 'two words'};";
  assert.deepEqual(printed(source), ['Yes', 'were not there', 'inner', 'A title', 'two words']);
});

test('a text may come from the formats that can print it', () => {
  for (const [format, text] of [['INV-{yyyy}-{n:6}', 'inv-2026-000042'], ['{yy}{n:7}{check:damm}', '2600000421'], ['F.{n}', 'F.7'], ['{scope}-{n}', 'shop-1'], ['{fy:2-2}/{r:3}', '26-27/998']]) {
    assert.ok(likely.mayRead(format, text), format);
  }
  for (const [format, text] of [['INV-{yyyy}-{n:6}', 'CN-2026-000042'], ['F.{n}', 'Fx7'], ['INV-{yyyy}-{n:6}', 'order-12']]) assert.ok(!likely.mayRead(format, text), format);
});

test('each kind of attention leads to the view that handles it', () => {
  const of = (kind, more = {}) => {
    const {said, to} = attention.wordsOf({kind, scope: 's', name: 'n', ...more});
    return [said, ...to];
  };
  assert.deepEqual(of('nearly-used', {left: 0}), ['The range is used up.', 'definition', 'Widen the range']);
  assert.deepEqual(of('refused-rows', {count: 1, list: 'import', id: 'ab', since: new Date().toISOString(), until: '2026-12-05T12:00:00Z'}),
    ['1 row, sent just now. Listed until 5 Dec 2026 at the latest, corrected or not.', 'imports/ab', 'Correct']);
  assert.deepEqual(of('refused-rows', {count: 2, list: 'batch', id: 'ab', since: new Date().toISOString()})[1], 'uploads/ab');
  assert.deepEqual(of('month-changed', {month: '2026-10'}), ['October 2026 has changed since it was recorded.', 'check', 'Check', {month: '2026-10'}]);
  assert.deepEqual(of('failed-messages', {count: 6}), ['6 messages could not be numbered.', '/poison', 'Show them']);
});
