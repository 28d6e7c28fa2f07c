import assert from 'node:assert/strict';
import test from 'node:test';
import { age, call, define, emptyPoison, importRows, next, poison } from '../app.mjs';
import { inspect, visit } from '../browser.mjs';

const GAPLESS = { guarantee: 'gapless', format: 'N-{n}', timeZone: 'UTC' };
const daysAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

test('shows above the list what needs a person today, each with its action', async (t) => {
  for (const name of ['quiet', 'stopped', 'open', 'torn']) await define(`needs/${name}`, GAPLESS);
  await next('needs/quiet', { key: 'q-1' });
  await call('POST', 'sequences/needs/stopped/suspend', { body: { reason: 'Stock-taking' } });
  await define('needs/few', { maxValue: 30 });
  await next('needs/few', { count: 28 });
  await next('needs/open', { key: 'o-1', date: daysAgo(20), reserve: true });
  await age('needs/open', 20);
  await importRows('needs/torn', [{ key: 't-1', number: 1 }, { key: 't-2', number: 1 }]);
  await emptyPoison();
  await poison('no JSON');
  t.after(emptyPoison);
  const { page, sees, misses, follow, goes } = await visit(t, '#/?scope=needs');
  await sees('Attention', 'Stock-taking', '2 left', '1 number, the first', 'under o-1', 'Looked at 5 sequences.');
  const matters = await page.$$eval('.attention li a:first-of-type', (links) => links.map(({ textContent }) => textContent));
  assert.deepEqual([...new Set(matters)].sort(), ['needs/few', 'needs/open', 'needs/stopped', 'needs/torn']);
  await inspect(page, 'attention');
  await follow('Confirm or void needs/open');
  await sees('N-1', 'Newest first');
  await goes('/');
  await sees('1 message could not be numbered.');
  await misses('Looking …');
});

test('shows that nothing needs attention, and goes on after a failure', async (t) => {
  await define('calm/one', GAPLESS);
  const { page, sees, press } = await visit(t, '#/nowhere', { failing: [503] });
  let fails = true;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    if (!fails || !request.url().includes('/api/attention?scope')) return request.continue();
    fails = false;
    return request.respond({ status: 503, contentType: 'application/problem+json', body: '{"type": "urn:problem-type:numera:overloaded"}' });
  });
  await page.evaluate(() => { location.hash = '/?scope=calm'; });
  await sees('The service is busy', 'one');
  await press('Try again');
  await sees('Nothing needs attention. Looked at 1 sequence.');
});
