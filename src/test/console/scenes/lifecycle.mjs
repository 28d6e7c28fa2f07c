import assert from 'node:assert/strict';
import test from 'node:test';
import { call, define } from '../app.mjs';
import { submit, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

test('advances, retires and revives a sequence once its name is typed, and lists the changes', async (t) => {
  const { page, sees, press, fill, finds, goes } = await visit(t, '#/sequences/north/invoice/lifecycle', { failing: [412] });
  await sees('Advance', 'Retire');
  await fill('Next number at least', '100');
  await fill('Reason', 'The old system went up to 99.');
  await press('Advance …');
  await finds('Advance', 'dialog');
  await sees('97 numbers will never be allocated');
  assert.deepEqual(await page.$eval('dialog', (dialog) => {
    const { top, bottom } = dialog.getBoundingClientRect();
    return [document.activeElement.tagName, Math.abs(top - (innerHeight - bottom)) < 2];
  }), ['INPUT', true]);
  await confirm(page, 'north/invoice');
  await sees('The next number is 100 now; it was 3.');
  await fill('Date of the period', `${YEAR - 1}-05-05`);
  await fill('Next number at least', '5');
  await press('Advance …');
  await sees('4 numbers will never be allocated');
  await confirm(page, 'north/invoice');
  await sees(`Now 5 in ${YEAR - 1}.`);
  await press('Retire …');
  await call('PATCH', 'sequences/north/invoice', { body: { contact: 'ben@example.com' }, 'If-Match': '*' });
  await sign(page, 'north/invoice');
  await page.waitForSelector('dialog .problem');
  await press('Cancel');
  await press('Retire …');
  await confirm(page, 'north/invoice');
  await sees('invoice is retired.', 'Revive');
  await press('Revive …');
  await confirm(page, 'north/invoice');
  await sees('invoice is active again.');
  await goes('/sequences/north/invoice/changes');
  await sees('advanced', 'The old system went up to 99.', 'retired', 'revived', 'anna@example.com');
});

test('creates, uses, suspends, resumes, retires and revives a sequence', async (t) => {
  const { page, sees, misses, press, fill, goes } = await visit(t, '#/new?scope=north&name=story');
  const turn = async (verb, typed) => {
    await goes('/sequences/north/story/lifecycle');
    await press(`${verb} …`);
    if (typed) return confirm(page, 'north/story');
    await submit(page);
    return page.waitForSelector('dialog', { hidden: true });
  };
  const take = async (key, text) => {
    await goes('/sequences/north/story');
    await fill('Key', key);
    await press('Allocate');
    await sees('Allocated.', text);
  };
  await fill('Guarantee', 'gapless');
  await fill('Format', 'ST-{n:3}');
  await sees('ST-001');
  await press('Create');
  await sees('No numbers yet');
  await take('first', 'ST-001');
  await turn('Suspend');
  await sees('story is suspended.', 'Resume it');
  await turn('Resume');
  await sees('story is resumed.');
  await take('second', 'ST-002');
  await turn('Retire', true);
  await sees('story is retired.', 'its ledger stay', 'Revive it');
  await goes('/?filter=north/story');
  await sees('1 of', 'retired');
  await turn('Revive', true);
  await sees('story is active again.');
  await take('third', 'ST-003');
  await misses('Retired on');
  await goes('/sequences/north/story/changes');
  await sees('created', 'suspended', 'resumed', 'retired', 'revived');
});

test('takes a never-used sequence out of the lists when it is retired, and frees its name', async (t) => {
  const { page, sees, misses, press, fill, choose, goes } = await visit(t, '#/new?scope=north&name=mistake');
  await fill('Description', 'Typed too fast');
  await press('Create');
  await sees('No numbers yet');
  await goes('/sequences/north/mistake/lifecycle');
  await sees('its name is free for another definition');
  await press('Retire …');
  await confirm(page, 'north/mistake');
  await sees('mistake is retired.');
  await goes('/?filter=mistake');
  await sees('No matching sequences');
  await choose('Show retired sequences that were never used', 'checkbox');
  await sees('1 of', 'Typed too fast', 'retired');
  await page.reload();
  await sees('1 of', 'Typed too fast');
  await goes('/new?scope=north&name=mistake');
  await fill('Guarantee', 'gapless');
  await fill('Description', 'Another one');
  await press('Create');
  await sees('No numbers yet', 'Another one');
  await misses('Retired on');
});

test('explains what retiring does to a template and to ids by the clock', async (t) => {
  await define('~/form', { format: 'F-{n}' });
  const { sees, goes } = await visit(t, '#/sequences/~/form/lifecycle');
  await sees('Removes the template from the lists. Sequences that it created stay.');
  await goes('/sequences/shop/event/lifecycle');
  await sees('If it never allocated one, it leaves the lists');
});

async function sign(page, name) {
  await page.waitForSelector('dialog button[type=submit]:disabled');
  await page.locator('dialog .field:last-of-type input').fill(name);
  await submit(page);
}

async function confirm(page, name) {
  await sign(page, name);
  await page.waitForSelector('dialog', { hidden: true });
}
