#!/usr/bin/env node
// Writes the page that the app serves as GET /api/docs: tools/api-page.template, filled from openapi.json. The page has no script. Needs only Node 22 or later.
import { readFileSync, writeFileSync } from 'node:fs';
import { literal, read, resolve as resolveIn } from './openapi.mjs';

const RESOURCES = 'src/main/resources/dev/numera/functions';
const TARGET = process.argv[2] ?? `${RESOURCES}/docs.html`;
const TEMPLATE = new URL('api-page.template', import.meta.url);
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const PROBLEM = 'urn:problem-type:numera:';
const PROBLEM_JSON = 'application/problem+json';
const BASE = 'http://127.0.0.1:7071/api';
const JSON_TYPE = 'application/json';
// Longer examples are written on several lines.
const LINE = 110;
// Calls that change or end the sequence of the examples come after the others; calls that are not about sequences come last.
const LAST = ['UploadBatch', 'UploadCsv', 'ReadBatch', 'ListBatches', 'ImportNumbers', 'ReadImport', 'ListImports', 'PatchDefinition', 'ChangeStatus', 'Suspend', 'Resume', 'Retire',
  'CloseDates', 'ListClosings', 'Health', 'Console', 'ConsoleFile', 'OpenApi', 'Docs'];
// Any call, or any call with a body, may answer these problems. The page lists them only once.
const COMMON = ['invalid-request', 'length-required', 'too-large', 'unsupported-media-type', 'misconfigured', 'storage-unavailable', 'overloaded',
  'rolled-back', 'needs-newer-version', 'contention', 'outcome-unknown'];
const ADVICE = ['Retry with the same key', 'Fix the request', 'Contact the operator'];
const UNNAMED_HEADERS = ['Cache-Control', 'Vary'];

const source = read(`${RESOURCES}/openapi.json`);
const { schemas } = source.components;
const resolve = (node) => resolveIn(source, node);

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const code = (text) => `<code>${escape(text)}</code>`;
/** Returns a sentence of the document as HTML. Its only markup is code between backticks. */
const prose = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
/** Returns a description of the document as HTML: paragraphs, and steps on lines that start with a number. */
const paragraphs = (text) => text.split('\n\n').map((part) => (part.startsWith('1. ')
  ? `<ol>\n${part.split('\n').map((step) => `<li>${prose(step.replace(/^\d+\. /, ''))}</li>`).join('\n')}\n</ol>\n`
  : `<p>${prose(part)}</p>\n`)).join('');
const link = (anchor, text) => `<a href="#${anchor}">${text}</a>`;
const table = (head, rows) => (rows.length === 0 ? '' : `<table>\n<tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr>\n${rows.join('\n')}\n</table>\n`);
const row = (...cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

const nameOf = ({ $ref }) => $ref.replace(/.*\//, '');
const problemName = (problem) => problem.properties.type.enum[0].replace(PROBLEM, '');
const problemLink = (name) => link(`problem-${name}`, code(name));
const isProblem = (schema) => schema.properties?.type?.enum?.[0].startsWith(PROBLEM) ?? false;
const isObject = (schema) => !isProblem(schema) && schema.title !== 'Problem' && ('properties' in schema || 'oneOf' in schema);
const title = ({ method, path }) => `${method} ${path}`;
// Encodes a value as in a form, with a plus for a space.
const encode = (value) => new URLSearchParams([['', value]]).toString().slice(1);

function operations() {
  const all = Object.entries(source.paths).flatMap(([path, calls]) => Object.entries(calls)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, json]) => ({
      method: method.toUpperCase(), path, json, parameters: [...(calls.parameters ?? []), ...(json.parameters ?? [])].map(resolve),
    })));
  const place = ({ json }) => LAST.indexOf(json.operationId);
  return all.sort((a, b) => place(a) - place(b));
}

/** Lists the calls by reader, in the order of the page. */
function contents() {
  return source.tags.map(({ name, description }) => {
    const links = operations().filter(({ json }) => json.tags[0] === name)
      .map((each) => link(each.json.operationId, code(title(each).replace('/sequences/{scope}/{name}', '…'))));
    return `<li>${prose(description.replace(/\.$/, ''))}: ${links.join(', ')}</li>`;
  }).join('\n');
}

function call(operation) {
  const { operationId, summary, description } = operation.json;
  return `<h2 id="${operationId}">${code(title(operation))}</h2>\n<p><b>${prose(summary)}.</b></p>\n${description ? paragraphs(description) : ''}`
    + `${parameters(operation)}${body(operation)}<pre class="sh">${escape(curl(operation))}</pre>\n${answers(operation)}`;
}

const notInPath = (operation) => operation.parameters.filter((parameter) => parameter.in !== 'path');
const parameterRow = ({ name, in: place, description, schema }) => row(code(name), place, prose(description + values(schema, description)));
const parameterTable = (rows) => table(['parameter', 'place', 'meaning'], rows);

/** The table rows of parameters that several calls have. */
const sharedParameters = (() => {
  const rows = operations().flatMap(notInPath).map(parameterRow);
  return new Set(rows.filter((each, at) => rows.indexOf(each) !== at));
})();

function parameters(operation) {
  const all = notInPath(operation);
  const own = all.map(parameterRow).filter((each) => !sharedParameters.has(each));
  const shared = all.filter((parameter) => sharedParameters.has(parameterRow(parameter))).map(({ name }) => link('parameters', code(name)));
  return parameterTable(own) + (shared.length > 0 ? `<p>Shared parameters: ${shared.join(', ')}.</p>\n` : '');
}

function body({ json }) {
  if (!json.requestBody) return '';
  const kinds = Object.entries(json.requestBody.content).map(([type, { schema }]) => {
    const objects = (schema.oneOf ?? [schema]).filter(({ $ref }) => $ref).map(typeName);
    return code(type) + (objects.length > 0 ? `, ${objects.join(' or ')}` : '');
  });
  return `<p>Body: ${kinds.join('; or ')}.</p>\n`;
}

function curl({ method, path, json, parameters: all }) {
  let url = BASE + path;
  const query = [];
  let options = '';
  for (const { name, in: place, example } of all.filter((parameter) => 'example' in parameter)) {
    if (place === 'path') url = url.replace(`{${name}}`, encode(example));
    else if (place === 'query') query.push(`${name}=${encode(example)}`);
    else options += ` \\\n  -H '${name}: ${example}'`;
  }
  if (json.requestBody) {
    const { content } = json.requestBody;
    const type = JSON_TYPE in content ? JSON_TYPE : Object.keys(content)[0];
    const { example } = content[type];
    options += ` \\\n  -H 'Content-Type: ${type}' \\\n  `;
    options += typeof example === 'string'
      ? `--data-binary $'${example.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`
      : `-d '${spaced(example)}'`;
  }
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const sent = `${verb} '${url}${query.length > 0 ? `?${query.join('&')}` : ''}'${options}`;
  return '202' in json.responses && method === 'GET'
    ? `while [ "$(curl -s -o answer.json -w '%{http_code}'${sent})" = 202 ]; do sleep 1; done; cat answer.json`
    : `curl${sent}`;
}

function answers(operation) {
  const all = Object.entries(operation.json.responses).map(([status, answer]) => [status, resolve(answer)]);
  const good = all.filter(([status]) => status.startsWith('2')).map(([status, response]) => success(status, response));
  const own = all.map(([status, response]) => [status, problemsOf(response).filter((name) => !COMMON.includes(name)).map(problemLink)])
    .filter(([, names]) => names.length > 0).map(([status, names]) => `${status} ${names.join(', ')}`);
  return `${good.join('')}${own.length > 0 ? `<p>Problems: ${own.join('; ')}.</p>\n` : ''}`;
}

function problemsOf(response) {
  const schema = resolve(response.content?.[PROBLEM_JSON]?.schema);
  return (schema ? schema.oneOf?.map(resolve) ?? [schema] : []).map(problemName);
}

function success(status, { description, content, headers }) {
  const json = content?.[JSON_TYPE] ?? {};
  const shown = Object.keys(headers ?? {}).filter((name) => !UNNAMED_HEADERS.includes(name)).map(code);
  return `<p><b>${status}</b> ${prose(description)}`
    + (shown.length > 0 ? ` Headers: ${shown.join(', ')}.` : '')
    + (content?.['text/csv'] ? ` With <code>Accept: text/csv</code>, CSV.` : '')
    + (json.schema?.$ref ? ` ${typeName(json.schema)}.` : '')
    + '</p>\n'
    + ('example' in json ? `<pre class="json">${escape(spaced(json.example))}</pre>\n` : '');
}

function objects() {
  return Object.entries(schemas).filter(([, schema]) => isObject(schema)).map(([name, schema]) => {
    const said = schema.description ? `<p>${prose(schema.description)}</p>\n` : '';
    return `<h3 id="object-${name}">${code(name)}</h3>\n${said}${schema.oneOf ? choice(schema) : fields(schema)}`;
  }).join('\n');
}

const choice = ({ oneOf }) => `<p>One of ${oneOf.map(typeName).join(', ')}.</p>\n`;

function fields({ properties, required = [] }) {
  return table(['field', 'type', 'meaning'], Object.entries(properties).map(([name, schema]) => row(
    code(name), typeName(schema) + (required.includes(name) ? ', <i>always</i>' : ''), prose(describe(schema)))));
}

/** Returns the type of a value, with a link if the page describes it as an object. */
function typeName(schema) {
  const target = resolve(schema);
  if (schema.$ref && isObject(target)) return link(`object-${nameOf(schema)}`, code(nameOf(schema)));
  if (target.oneOf) return target.oneOf.map(typeName).join(' or ');
  if (target.type === 'array') return `list of ${typeName(target.items)}`;
  const [name] = [target.type].flat();
  return target.format === 'date' ? 'date' : target.format === 'date-time' ? 'time' : { integer: 'number' }[name] ?? name ?? 'any value';
}

function describe(schema) {
  const target = resolve(schema);
  const said = schema.description || (target.properties ? '' : target.description);
  return ((said ?? '') + values(target, said)).trim();
}

/** Returns the bounds and values of a schema that its description does not mention. */
function values(schema, said = '') {
  const target = resolve(schema);
  const listed = (target.enum ?? []).filter((value) => value !== null).map((value) => `\`${value}\``);
  const text = listed.length === 0 || listed.every((value) => said.includes(value)) ? '' : ` ${listed.join(', ')}.`;
  if (target.maximum > 0 && target.maximum < 10_000_000) {
    return `${text} ${target.minimum ?? 0} to ${target.maximum}${'default' in target ? `, by default ${literal(target.default)}` : ''}.`;
  }
  return 'maxLength' in target && !said.includes(`to ${target.maxLength}`) ? `${text} At most ${target.maxLength} characters.` : text;
}

function problems() {
  return table(['problem', 'status', 'what to do'], Object.values(schemas).filter(isProblem).map((schema) => {
    const name = problemName(schema);
    const members = Object.keys(schema.properties).filter((member) => !['type', 'title', 'status', 'detail'].includes(member)).map(code);
    return `<tr id="problem-${name}"><td>${code(name)}</td><td>${schema.properties.status.enum[0]}</td>`
      + `<td>${advice(schema)}${members.length > 0 ? ` <span class="muted">Has ${members.join(', ')}.</span>` : ''}</td></tr>`;
  }));
}

function advice(problem) {
  const said = problem.description ?? '';
  const first = ADVICE.find((each) => said.startsWith(each));
  if (!first) throw new Error(`The description of ${problemName(problem)} must begin with what a caller is to do: ${ADVICE.join(', ')}.`);
  return `<b>${first}</b>${prose(said.slice(first.length))}`;
}

/** Writes JSON on one line if it fits, otherwise with each member on its own line. */
function spaced(json, indent = '') {
  const line = oneLine(json);
  if (indent.length + line.length <= LINE || json === null || typeof json !== 'object') return line;
  const inner = `${indent}  `;
  if (Array.isArray(json)) return `[\n${json.map((item) => inner + spaced(item, inner)).join(',\n')}\n${indent}]`;
  return `{\n${Object.entries(json).map(([name, item]) => `${inner}"${name}": ${spaced(item, inner)}`).join(',\n')}\n${indent}}`;
}

function oneLine(json) {
  if (json === null || typeof json !== 'object') return literal(json);
  if (Array.isArray(json)) return `[${json.map(oneLine).join(', ')}]`;
  return `{${Object.entries(json).map(([name, item]) => `"${name}": ${oneLine(item)}`).join(', ')}}`;
}

const made = {
  contents,
  'shared parameters': () => parameterTable([...sharedParameters]),
  calls: () => operations().map(call).join('\n'),
  objects,
  'common problems': () => COMMON.map(problemLink).join(', '),
  problems,
};
const page = Object.entries(made).reduce((text, [name, part]) => text.replace(`{{${name}}}`, part), readFileSync(TEMPLATE, 'utf8'));
writeFileSync(TARGET, page);
