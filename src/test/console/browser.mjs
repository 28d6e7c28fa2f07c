// A browser, and pages of the console in it that note every fault.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';

export const ORIGIN = process.env.NUMERA_URL;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENSHOTS = process.env.CONSOLE_SCREENSHOTS ?? 'target/screenshots';
const NO_BROWSER = 3;
const DESKTOP = { width: 1280, height: 800 };
// No touch: changing that would reload the page.
const PHONE = { width: 390, height: 844 };
// Sessions of their own need processes of their own, and the last two make this browser less strict than that of a user.
const UNWANTED = ['--single-process', '--no-zygote', '--disable-web-security', '--allow-running-insecure-content'];

async function start() {
  chromium.setGraphicsMode = false;
  return puppeteer.launch({
    executablePath: process.env.CONSOLE_CHROME ?? await chromium.executablePath(),
    args: [...chromium.args.filter((argument) => !UNWANTED.includes(argument)), '--no-sandbox'],
    headless: 'shell',
    // In the locale C it has a language that its own Intl refuses.
    env: { ...process.env, LC_ALL: 'en_GB.UTF-8' },
  });
}

export const browser = await start().catch((problem) => {
  console.log(problem.message);
  process.exit(NO_BROWSER);
});

/**
 * Opens a view of the console in a session of its own; whatever goes wrong in it fails the scene.
 *
 * @param failing the statuses of answers that the scene is about: of others even one that the page handles well is a fault
 * @param key null where no key has been entered yet
 */
export async function visit(t, view = '', { key = process.env.NUMERA_KEY, actor = 'anna@example.com', failing = [], phone = false } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const faults = [];
  t.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  page.setDefaultTimeout(30_000);
  await page.setViewport(phone ? PHONE : DESKTOP);
  if (key) await page.evaluateOnNewDocument((access) => sessionStorage.setItem('numera-access', access), JSON.stringify({ key, actor, kept: true }));
  await listen(page, faults, failing);
  await page.goto(`${ORIGIN}/api/console${view}`, { waitUntil: 'load' });
  return person(page);
}

/** The user in front of the page: finds elements by their accessible names, as a screen reader does. */
function person(page) {
  const named = (name, role) => page.locator(`::-p-aria([name="${name.replaceAll('"', '\\"')}"]${role ? `[role="${role}"]` : ''})`);
  return {
    page,
    press: (name) => click(page, named(name, 'button')),
    follow: (name) => click(page, named(name, 'link')),
    choose: (name, role = 'radio') => click(page, named(name, role)),
    fill: async (name, text) => {
      await (await named(name).waitHandle()).evaluate(clear);
      await named(name).fill(text);
    },
    finds: (name, role) => named(name, role).waitHandle(),
    sees: (...texts) => waitFor(page, texts, true),
    misses: (...texts) => waitFor(page, texts, false),
    goes: (view) => page.evaluate((to) => { location.hash = to; }, view),
  };
}

/** Confirms what the open dialog is about. */
export const submit = (page) => click(page, page.locator('dialog button[type=submit]'));

/**
 * Clicks where a user could: the element is enabled, and nothing lies over it. It looks and clicks in one step, as a page that is still
 * loading moves its buttons, and a pointer that was sent to where one was would meet another or none.
 */
export async function click(page, locator) {
  for (const end = Date.now() + page.getDefaultTimeout(); Date.now() < end; await sleep(50)) {
    const element = await locator.waitHandle();
    const isClicked = await element.evaluate(clickIfReachable);
    await element.dispose();
    if (isClicked) return;
  }
  throw new Error(`nothing to be clicked, as it is disabled or covered\nbut:\n${await page.evaluate(() => document.body.innerText)}`);
}

function clickIfReachable(element) {
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const [box] = element.getClientRects();
  const met = box && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const isMet = [element, ...(element.labels ?? [])].some((each) => each.contains(met ?? null));
  if (!isMet || element.disabled) return false;
  element.focus();
  element.click();
  return true;
}

/** As a person does, so that the page knows of it: what it draws meanwhile would bring the old text back. */
function clear(field) {
  if (field.matches('input, textarea') && field.value) {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

async function waitFor(page, texts, there) {
  const lower = texts.map((text) => text.toLowerCase());
  const isSo = (wanted, wantedThere) => {
    const said = document.body.innerText.toLowerCase();
    return wanted.every((text) => said.includes(text) === wantedThere);
  };
  await page.waitForFunction(isSo, { polling: 50 }, lower, there).catch(async (late) => {
    throw new Error(`${there ? 'not to be seen' : 'still to be seen'}: ${texts.join(' | ')}\nbut:\n${await page.evaluate(() => document.body.innerText)}`, { cause: late });
  });
}

async function listen(page, faults, failing) {
  await page.evaluateOnNewDocument(() => addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    console.error(`Content-Security-Policy: ${violatedDirective} refuses ${blockedURI}`);
  }));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type()) && !isExpected(message, failing)) faults.push(`console: ${message.text()} ${message.location().url ?? ''}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== ORIGIN) faults.push(`request to ${request.url()}`);
  });
}

/** The browser itself says when a call fails: as the scene wants it, while a definition is half typed, or as the page finds out what a key may do. */
function isExpected(message, failing) {
  const [, status] = /^Failed to load resource: the server responded with a status of (\d+) /.exec(message.text()) ?? [];
  const isHalfTyped = status?.startsWith('4') && message.location().url.includes('/preview');
  return failing.includes(Number(status)) || isHalfTyped || (status === '400' && message.location().url.includes('?rights=asked'));
}

/** No accessibility violation of any severity for users of a screen reader or a keyboard, or with low vision; light and dark. */
export async function accessible(page) {
  for (const scheme of ['light', 'dark']) {
    await inColors(page, scheme);
    await passesAxe(page, scheme, scheme === 'dark' ? ONLY_COLORS : {});
  }
  await page.emulateMediaFeatures([]);
}

const ONLY_COLORS = { runOnly: ['cat.color'] };
/** A narrow page has the same colors. */
const ALL_BUT_COLORS = { rules: { 'color-contrast': { enabled: false } } };

async function passesAxe(page, where, options) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(AXE);
  const found = await page.evaluate((only) => globalThis.axe.run(document, { resultTypes: ['violations'], preload: false, ...only }), options);
  assert.deepEqual(found.violations.map(({ id, impact, nodes }) => [where, id, impact, nodes.map(({ html }) => html)]), []);
}

const inColors = (page, scheme) => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);

/** Fits the width of a phone: only what scrolls by itself may be wider. */
export async function fitsPhone(page) {
  await page.setViewport(PHONE);
  await drawn(page);
  await fits(page);
  await page.setViewport(DESKTOP);
}

async function fits(page) {
  const { wide, narrow } = await page.evaluate(measured);
  assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} wide in a window of ${wide[1]}`);
  assert.deepEqual(narrow, [], 'texts that break into letters');
}

/** What is drawn on a canvas learns of the window's width within a frame. */
const drawn = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

/** How wide the page is, and which texts have so little room that they break into a few letters a line. */
function measured() {
  const isNarrow = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const line = Number.parseFloat(getComputedStyle(element).lineHeight);
    return element.checkVisibility() && !element.closest('.unseen') && width > 1 && width < 5 * Number.parseFloat(getComputedStyle(element).fontSize) && height > 3.5 * line;
  };
  const texts = [...document.querySelectorAll('body *')].filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return {
    wide: [document.documentElement.scrollWidth, document.documentElement.clientWidth],
    narrow: texts.filter(isNarrow).map(({ textContent }) => textContent),
  };
}

/** One state of the page in light, dark and on a phone: accessible, no wider than the window, a dialog in its middle; with a picture of each. */
export async function inspect(page, name, { fullPage = false } = {}) {
  await inColors(page, 'light');
  await picture(page, name, { fullPage });
  await isInTheMiddle(page, name);
  await passesAxe(page, `${name}, light`, {});
  await inColors(page, 'dark');
  await picture(page, `${name}-dark`, { fullPage });
  await passesAxe(page, `${name}, dark`, ONLY_COLORS);
  await inColors(page, 'light');
  await page.setViewport(PHONE);
  await drawn(page);
  await picture(page, `${name}-phone`, { fullPage });
  await isInTheMiddle(page, `${name}, phone`);
  await fits(page);
  await passesAxe(page, `${name}, phone`, ALL_BUT_COLORS);
  await page.setViewport(DESKTOP);
  await page.emulateMediaFeatures([]);
}

async function isInTheMiddle(page, name) {
  const off = await page.$$eval('dialog[open]', (dialogs) => dialogs.map((dialog) => {
    const { top, bottom, left, right } = dialog.getBoundingClientRect();
    return [top - (innerHeight - bottom), left - (innerWidth - right)].map(Math.abs);
  }));
  assert.ok(off.flat().every((distance) => distance < 20), `${name}: the dialog is off the middle by ${off}`);
}

export async function screenshot(page, name, { scheme = 'light', phone = false, media = '', ...options } = {}) {
  await inColors(page, scheme);
  if (media) await page.emulateMediaType(media);
  await page.setViewport(phone ? PHONE : DESKTOP);
  await picture(page, name, options);
  await page.emulateMediaFeatures([]);
  await page.setViewport(DESKTOP);
}

async function picture(page, name, options) {
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), optimizeForSpeed: true, ...options });
}

/** The folder into which the page saves files from now on. */
export async function downloads(page) {
  const downloadPath = mkdtempSync(join(tmpdir(), 'numera-console-'));
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', browserContextId: page.browserContext().id, downloadPath });
  return downloadPath;
}

/** What the page has saved into a folder: the name of the file and its text. */
export async function saved(folder) {
  for (let tries = 0; tries < 200; tries++) {
    const [name] = (await readdir(folder)).filter((file) => !file.endsWith('.crdownload'));
    if (name) return { name, text: await readFile(join(folder, name), 'utf8') };
    await sleep(50);
  }
  throw new Error(`nothing was saved into ${folder}`);
}
