import assert from 'node:assert/strict';
import test from 'node:test';
import { call } from '../app.mjs';
import { accessible, fitsPhone, screenshot, visit } from '../browser.mjs';
import { YEAR } from '../world.mjs';

test('advances, retires and revives a sequence once its name is typed, and lists the changes', async (t) => {
  const { page, sees, press, fill, finds, goes } = await visit(t, '#/sequences/north/invoice/lifecycle', { failing: [412] });
  await sees('Advance', 'Retire');
  await accessible(page);
  await fitsPhone(page);
  await fill('Next number at least', '100');
  await fill('Reason', 'The old system went up to 99.');
  await press('Advance …');
  await finds('Advance', 'dialog');
  await sees('97 numbers will never be allocated');
  assert.deepEqual(await page.$eval('dialog', (dialog) => {
    const { top, bottom } = dialog.getBoundingClientRect();
    return [document.activeElement.tagName, Math.abs(top - (innerHeight - bottom)) < 2];
  }), ['INPUT', true]);
  await accessible(page);
  await screenshot(page, 'advance');
  await confirm(page, 'invoice');
  await sees('The next number is 100 now; it was 3.');
  await fill('Date of the period', `${YEAR - 1}-05-05`);
  await fill('Next number at least', '5');
  await press('Advance …');
  await sees('4 numbers will never be allocated');
  await confirm(page, 'invoice');
  await sees(`Now 5 in ${YEAR - 1}.`);
  await press('Retire …');
  await call('PATCH', 'sequences/north/invoice', { body: { contact: 'ben@example.com' }, 'If-Match': '*' });
  await sign(page, 'invoice');
  await page.waitForSelector('dialog .problem');
  await press('Cancel');
  await press('Retire …');
  await confirm(page, 'invoice');
  await sees('invoice is retired.', 'Revive');
  await press('Revive …');
  await confirm(page, 'invoice');
  await sees('invoice is active again.');
  await goes('/sequences/north/invoice/changes');
  await sees('advanced', 'The old system went up to 99.', 'retired', 'revived', 'anna@example.com');
  await accessible(page);
  await fitsPhone(page);
  await screenshot(page, 'changes');
});

async function sign(page, name) {
  const button = 'dialog button[type=submit]';
  await page.waitForSelector(`${button}:disabled`);
  await page.locator('dialog .field:last-of-type input').fill(name);
  await page.locator(button).click();
}

async function confirm(page, name) {
  await sign(page, name);
  await page.waitForSelector('dialog', { hidden: true });
}
