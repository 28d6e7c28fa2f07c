import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define, importRows, next, status } from '../app.mjs';
import { downloads, inspect, saved, submit, visit } from '../browser.mjs';
import { TODAY } from '../world.mjs';

const LAST = new Date(Date.UTC(Number(TODAY.slice(0, 4)), Number(TODAY.slice(5, 7)) - 1, 0)).toISOString().slice(0, 10);
const MONTH = LAST.slice(0, 7);
const NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(LAST));

const close = (name, body = { dateFrom: `${MONTH}-01`, dateTo: LAST }) => call('POST', `sequences/twelve/${name}/closings`, { body, 'Numera-Actor': 'anna@example.com' });
const closingsOf = async (name) => (await call('GET', `sequences/twelve/${name}/closings`)).json.closings;

test('checks and records a month for all sequences of a scope, and shows what has changed since', async (t) => {
  for (const name of ['bill', 'credit', 'never']) {
    await define(`twelve/${name}`, { guarantee: 'gapless', format: `${name.toUpperCase()}-{n}`, timeZone: 'UTC' });
    await next(`twelve/${name}`, { key: `${name}-1`, date: LAST, ...(name === 'credit' && { reserve: true }) });
  }
  await close('bill');
  await close('credit', { dateFrom: '2020-01-01', dateTo: '2020-01-31' });
  await status('twelve/bill', 'bill-1', 'void', 'Late');
  await importRows('twelve/bill', [{ key: 'torn', number: 0 }]);
  const { page, sees, misses, press, follow } = await visit(t, '#/?scope=twelve');
  await follow('Month end of twelve');
  // The service judges the months, so a change is shown before any check.
  await sees('Month end of twelve', 'bill', 'credit', 'changed since', 'open', 'by anna@example.com', 'not checked');
  await misses('never');
  await press('Check all');
  await sees('Checking: 2 of 2 done.', 'changed since', '1 allocated, 1 voided. Every number is accounted for, but 1 row of imports was refused.', 'but 1 is still reserved');
  await inspect(page, 'scope-months', { fullPage: true });
  await press('Record all results …');
  await sees(`Record 2 results of ${NAME}?`, 'one after the other', 'Recorded by anna@example.com.');
  await submit(page);
  await sees('Recording: 2 of 2 done.');
  await misses('changed since');
  assert.deepEqual([(await closingsOf('bill')).length, (await closingsOf('credit')).length], [2, 2]);
  const folder = await downloads(page);
  await press('Save as CSV');
  const { name, text } = await saved(folder);
  assert.equal(name, `twelve-months-${MONTH}.csv`);
  const lines = text.split('\r\n');
  assert.equal(lines[1].slice(0, 30), `summary,${MONTH},2 of 2 recorded`.slice(0, 30));
  assert.equal(lines.filter((line) => line.startsWith('twelve/')).length, 24);
  assert.ok(lines.some((line) => line.startsWith(`twelve/bill,${MONTH},recorded,`) && /,1,1,0,0,[0-9a-f]{64},/.test(line)), text);
});

test('shows a month as not judged where the service cannot judge it', async (t) => {
  const { page, sees, misses } = await visit(t, '#/months');
  await page.setRequestInterception(true);
  page.on('request', (request) => (request.url().includes('/api/attention')
    ? request.respond({ status: 200, contentType: 'application/json', body: JSON.stringify({ entries: [{ kind: 'month-not-judged', scope: 'twelve', name: 'bill', month: MONTH, action: '-' }], searched: 3 }) })
    : request.continue()));
  await page.evaluate(() => { location.hash = '#/months?scope=twelve'; });
  await sees('bill', 'recorded, not judged');
  await misses('changed since');
});

test('goes on after a sequence whose check fails', async (t) => {
  const { page, sees, press } = await visit(t, '#/months?scope=twelve', { failing: [503] });
  await sees('bill', 'credit');
  await page.setRequestInterception(true);
  page.on('request', (request) => (request.url().includes('/bill/check') ? request.respond({ status: 503, contentType: 'application/problem+json', body: '{"type": "urn:problem-type:numera:overloaded"}' }) : request.continue()));
  await press('Check all');
  await sees('Checking: 1 of 2 done, 1 failed.', 'The service is busy', 'but 1 is still reserved');
});
