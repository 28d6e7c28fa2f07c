// Starts a browser and opens pages of the console that record every fault.
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
// The phone has no touch screen, because a change of that setting would reload the page.
const PHONE = { width: 390, height: 844 };
// The first two keep all sessions in one process, and the last two make the browser less strict than a user's.
const UNWANTED = ['--single-process', '--no-zygote', '--disable-web-security', '--allow-running-insecure-content'];

async function start() {
  chromium.setGraphicsMode = false;
  return puppeteer.launch({
    executablePath: process.env.CONSOLE_CHROME ?? await chromium.executablePath(),
    args: [...chromium.args.filter((argument) => !UNWANTED.includes(argument)), '--no-sandbox'],
    headless: 'shell',
    // In the locale C, the browser reports a language that its own Intl refuses.
    env: { ...process.env, LC_ALL: 'en_GB.UTF-8' },
  });
}

export const browser = await start().catch((problem) => {
  console.log(problem.message);
  process.exit(NO_BROWSER);
});

/**
 * Opens a view of the console in a new session. Any fault on the page fails the scene.
 *
 * @param failing the error statuses that the scene expects; any other one is a fault, even if the page handles it
 * @param key null if the user has not entered a key yet
 * @param headers the headers that a gateway adds to each call
 */
export async function visit(t, view = '', { key = process.env.NUMERA_KEY, actor = 'anna@example.com', failing = [], phone = false, headers = {} } = {}) {
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
  await page.setExtraHTTPHeaders(headers);
  await page.goto(`${ORIGIN}/api/console${view}`, { waitUntil: 'load' });
  return person(page);
}

/** Returns the actions of a user, which find elements by their accessible names, as a screen reader does. */
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

/** Drops a file on the page as from the desktop. */
export async function drop(page, name, content) {
  await page.waitForSelector('.drop');
  await page.evaluate((called, base64) => {
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], called, { type: 'text/csv' }));
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, name, Buffer.from(content).toString('base64'));
}

/** Confirms the open dialog. */
export const submit = (page) => click(page, page.locator('dialog button[type=submit]'));

/**
 * Clicks an element once it is enabled and not covered. Checks and clicks in one step, because a loading page moves its
 * buttons, and a pointer could hit another button or none.
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

/** Clears a field with the event of a real edit. Without it, the page would restore the old text when it renders. */
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

/**
 * Whether the browser's own report of a failed call is expected: the scene causes it, a definition or a list is half typed, or the page
 * tries out the permissions of a key.
 */
function isExpected(message, failing) {
  const [, status] = /^Failed to load resource: the server responded with a status of (\d+) /.exec(message.text()) ?? [];
  if (failing.includes(undefined) && /^Failed to load resource: net::ERR_CONNECTION_RESET/.test(message.text())) return true;
  const isHalfTyped = status?.startsWith('4') && /\/(preview|imports\/inspect)/.test(message.location().url ?? '');
  return failing.includes(Number(status)) || isHalfTyped || (status === '400' && message.location().url.includes('?rights=asked'));
}

/** Requires a page without accessibility violations of any severity, in light and dark. */
export async function accessible(page) {
  for (const scheme of ['light', 'dark']) {
    await inColors(page, scheme);
    await passesAxe(page, scheme, scheme === 'dark' ? ONLY_COLORS : {});
  }
  await page.emulateMediaFeatures([]);
}

const ONLY_COLORS = { runOnly: ['cat.color'] };
/** The checks of a narrow page, which has the same colors as a wide one. */
const ALL_BUT_COLORS = { rules: { 'color-contrast': { enabled: false } } };

async function passesAxe(page, where, options) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(AXE);
  const found = await page.evaluate((only) => globalThis.axe.run(document, { resultTypes: ['violations'], preload: false, ...only }), options);
  assert.deepEqual(found.violations.map(({ id, impact, nodes }) => [where, id, impact, nodes.map(({ html }) => html)]), []);
}

const inColors = (page, scheme) => page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);

/** Requires that the page fits the width of a phone, except parts that scroll on their own. */
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

/** Waits two frames, in which canvases adapt to the window's width. */
const drawn = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

/** Returns the widths of the page and the window, and the texts that break into a few letters per line. */
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

/**
 * Checks the page in light, in dark and on a phone, and saves a picture of each: it is accessible, fits the window, and
 * centers its dialog.
 */
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

/** Makes the page save files to a new folder, and returns the folder. */
export async function downloads(page) {
  const downloadPath = mkdtempSync(join(tmpdir(), 'numera-console-'));
  const session = await page.createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', browserContextId: page.browserContext().id, downloadPath });
  return downloadPath;
}

/** Waits for a file in a folder, and returns its name and text. */
export async function saved(folder) {
  for (let tries = 0; tries < 200; tries++) {
    const [name] = (await readdir(folder)).filter((file) => !file.endsWith('.crdownload'));
    if (name) return { name, text: await readFile(join(folder, name), 'utf8') };
    await sleep(50);
  }
  throw new Error(`nothing was saved into ${folder}`);
}
