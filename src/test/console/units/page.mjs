// Shows views of the console in a document that is just large enough for Preact, so that units can press their buttons without a browser.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {build} from '../../../../console/node_modules/esbuild/lib/main.js';
import './bundled.mjs';

const SOURCES = fileURLToPath(new URL('../../../../console/src/', import.meta.url));
const VIEWS = {
  './views/replace.ts': 'ReplaceDialog, newKeyOf', './views/poison.ts': 'Poison', './views/many.ts': 'Many', './views/scopeMonths.ts': 'ScopeMonths',
  './views/lifecycle.ts': 'Lifecycle', './views/byKeys.ts': 'ByKeys', './views/upload.ts': 'Upload', './views/definition.ts': 'DefinitionView',
  './views/find.ts': 'Find', './views/who.ts': 'Who', './views/monthEnd.ts': 'MonthEnd', './views/perMonth.ts': 'PerMonth',
};
const DEADLINE_MILLIS = 5_000;
const PAUSE_MILLIS = 5;
/** The elements that no blank separates from the text beside them. */
const INLINE = ['a', 'code', 'span', 'strong'];

class Base {
  childNodes = [];
  parentNode = null;
  get firstChild() { return this.childNodes[0] ?? null; }
  get nextSibling() { return this.parentNode?.childNodes[this.parentNode.childNodes.indexOf(this) + 1] ?? null; }
  get ownerDocument() { return document; }
  insertBefore(node, before) {
    node.remove();
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, node);
    node.parentNode = this;
    return node;
  }
  appendChild(node) { return this.insertBefore(node, null); }
  removeChild(node) { return node.remove(); }
  remove() {
    this.parentNode?.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1);
    this.parentNode = null;
    return this;
  }
  contains(other) { return other === this || !!other && this.contains(other.parentNode); }
}

class Words extends Base {
  nodeType = 3;
  constructor(data) { super(); this.data = data; }
  get text() { return this.data; }
}

class Element extends Base {
  nodeType = 1;
  namespaceURI = 'http://www.w3.org/1999/xhtml';
  style = {};
  attributes = {};
  #listeners = new Map();
  constructor(name) { super(); this.localName = name; this.nodeName = name.toUpperCase(); }
  get text() {
    const inner = this.childNodes.map(({text}) => text).join('');
    return INLINE.includes(this.localName) ? inner : ` ${inner} `;
  }
  get all() { return this.childNodes.filter(({nodeType}) => nodeType === 1).flatMap(child => [child, ...child.all]); }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener(type, listener) { this.#listeners.set(type.toLowerCase(), listener); }
  removeEventListener(type) { this.#listeners.delete(type.toLowerCase()); }
  fire(type) { this.#listeners.get(type)?.call(this, {type, target: this, currentTarget: this, preventDefault() {}}); }
  click() {}
  focus() {}
  showModal() {}
  close() {}
  matches() { return false; }
  querySelector() { return null; }
}
// Preact sets a property only if the element has it, and listens in lower case if the element knows the event.
for (const name of ['value', 'checked', 'disabled', 'href']) Object.defineProperty(Element.prototype, name, {writable: true, value: undefined});
for (const name of ['onclick', 'oninput', 'onchange', 'onsubmit', 'oncancel']) Element.prototype[name] = null;

const {setTimeout: startTimer} = globalThis;
const listeners = new Map();
const body = new Element('body');
Object.assign(globalThis, {
  document: {
    body, hidden: false, activeElement: body, createElementNS: (_, name) => new Element(name), createElement: name => new Element(name),
    createTextNode: words => new Words(words), querySelector: () => null,
  },
  addEventListener: (type, listener) => listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
  removeEventListener: (type, listener) => listeners.get(type)?.delete(listener),
  dispatchEvent: ({type}) => [...listeners.get(type) ?? []].forEach(listener => listener()),
  HashChangeEvent: Event,
  history: {replaceState: (_, __, address) => { location.hash = address; }},
  // A timer that no test waits for does not keep the process alive.
  setTimeout: (done, millis) => millis > DEADLINE_MILLIS ? startTimer(done, millis).unref() : startTimer(done, millis),
  requestAnimationFrame: later => setTimeout(later),
  cancelAnimationFrame: clearTimeout,
  FileReader: class {
    readAsDataURL(file) {
      void file.arrayBuffer().then(bytes => {
        this.result = `data:;base64,${Buffer.from(bytes).toString('base64')}`;
        this.onload();
      });
    }
  },
});

const exported = Object.entries(VIEWS).map(([file, view]) => `export {${view}} from '${file}';`);
const folder = mkdtempSync(join(tmpdir(), 'console-'));
await build({
  stdin: {contents: `export {html, render} from './html.ts'; export * as api from './api.ts'; export {enter} from './access.ts'; ${exported.join(' ')}`, resolveDir: SOURCES, loader: 'ts'},
  bundle: true, format: 'esm', outfile: join(folder, 'app.mjs'), logLevel: 'error',
});
/** The views that are shown, in one bundle, because they share their state. */
export const app = await import(pathToFileURL(join(folder, 'app.mjs')).href);
rmSync(folder, {recursive: true});

const pause = () => new Promise(done => { setTimeout(done, PAUSE_MILLIS); });

async function until(found, missed) {
  for (const end = Date.now() + DEADLINE_MILLIS; Date.now() < end; await pause()) {
    const result = found();
    if (result) return result;
  }
  return assert.fail(missed());
}

/** Returns a problem as the service answers it. */
export const refused = (type, status, members) => ({status, body: {type: `urn:problem-type:numera:${type}`, title: type, detail: type, ...members}});

/**
 * Lets a function answer all calls. It gets the method, the path after `/api` with its query, and the body, and returns the body of the answer,
 * `{status, body}` or nothing, which is answered by 404.
 */
export function serve(answer) {
  globalThis.fetch = async (address, {method, body: sent, headers}) => {
    const answered = await answer(method, decodeURIComponent(address.replace(/^.*\/api/, '')), sent && headers['Content-Type'].includes('json') ? JSON.parse(sent) : sent, headers)
      ?? refused('unknown-sequence', 404);
    const {status = 200, body: content = answered} = typeof answered.status === 'number' ? answered : {};
    return new Response(status === 204 ? null : JSON.stringify(content), {status, headers: {'Content-Type': 'application/json'}});
  };
}

/** Shows a view until the test ends, and returns the actions of a user. */
export function show(t, view, props) {
  const page = () => body.text.replace(/\s+/g, ' ').trim();
  const named = (name, kinds) => body.all.findLast(each => kinds.includes(each.localName) && each.text.replace(/\s+/g, ' ').trim() === name);
  const formOf = node => node.localName === 'form' ? node : formOf(node.parentNode);
  const leave = () => app.render(null, body);
  t.after(leave);
  app.render(app.html`<${app[view]} ...${props} />`, body);
  const control = async label => {
    const found = await until(() => named(label, ['label']), () => `no field ${label} in ${page()}`);
    return found.parentNode.all.find(({localName}) => ['input', 'textarea', 'select'].includes(localName));
  };
  return {
    page,
    leave,
    sees: (...texts) => until(() => texts.every(text => page().includes(text)), () => `${texts.find(text => !page().includes(text))} is missing in ${page()}`),
    press: async name => {
      const button = await until(() => [named(name, ['button'])].find(found => found && !found.disabled), () => `no enabled button ${name} in ${page()}`);
      (button.attributes.type ?? button.type) === 'submit' ? formOf(button).fire('submit') : button.fire('click');
      await pause();
    },
    /** Presses Escape in the dialog that is open. */
    escape: () => body.all.findLast(({localName}) => localName === 'dialog').fire('cancel'),
    fill: async (label, value) => {
      Object.assign(await control(label), {value}).fire('input');
      await pause();
    },
    valueOf: async label => (await control(label)).value,
    until,
  };
}
