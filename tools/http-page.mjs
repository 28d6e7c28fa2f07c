#!/usr/bin/env node
// The page docs/http.md: tools/http-page.template with the reference that openapi.json makes, for people. Needs Node 20 or later and nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { literal, read, resolve as resolveIn } from './openapi.mjs';

const TARGET = process.argv[2] ?? 'docs/http.md';
const TEMPLATE = new URL('http-page.template', import.meta.url);
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const PROBLEM = 'urn:problem-type:numera:';
const BASE = 'http://127.0.0.1:7071/api';
const JSON_TYPE = 'application/json';
const SCHEMAS = '#/components/schemas/';
// An example that is longer is written on several lines.
const LINE = 130;
// What ends or changes the sequence of the examples comes after the others, then what is not about sequences.
const LAST = ['UploadBatch', 'UploadCsv', 'ReadBatch', 'ImportNumbers', 'ReadImport', 'PatchDefinition', 'ChangeStatus', 'Suspend', 'Resume', 'Retire', 'Health', 'Console', 'ConsoleFile', 'OpenApi'];
// The one that is sent and the one that is answered share a table.
const DEFINITIONS = ['Definition', 'DefinitionChange'];
// Any call answers these, or any call with a body: they are listed once, by the page.
const COMMON = ['invalid-request', 'length-required', 'too-large', 'unsupported-media-type', 'misconfigured', 'storage-unavailable', 'overloaded',
  'rolled-back', 'needs-newer-version', 'contention', 'outcome-unknown'];
const ADVICE = ['Retry with the same key', 'Fix the request', 'Contact the operator'];

const source = read('src/main/resources/dev/numera/functions/openapi.json');
const { schemas } = source.components;
const resolve = (node) => resolveIn(source, node);
const alternatives = (schema) => (schema?.oneOf?.length > 0 ? schema.oneOf : [schema]);
const code = (text) => `\`${text}\``;
const problemName = (problem) => problem.properties.type.enum[0].replace(PROBLEM, '');
const isProblem = (schema) => schema.properties?.type?.enum?.[0].startsWith(PROBLEM) ?? false;
const title = (operation) => `${operation.method} ${operation.path}`;
// As GitHub makes it of a heading.
const anchor = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{Nd} -]/gu, '').replaceAll(' ', '-');
// As a form is sent: a blank is a plus.
const encode = (value) => new URLSearchParams([['', value]]).toString().slice(1);

function link({ $ref }) {
  const name = $ref.replace(/.*\//, '');
  return DEFINITIONS.includes(name) ? '[definition](#definitions)' : `[${name}](#${anchor(name)})`;
}

function operations() {
  const all = Object.entries(source.paths).flatMap(([path, calls]) => Object.entries(calls)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, json]) => ({
      method: method.toUpperCase(), path, json, parameters: [...(calls.parameters ?? []), ...(json.parameters ?? [])].map(resolve),
    })));
  const place = ({ json }) => LAST.indexOf(json.operationId);
  return all.sort((a, b) => place(a) - place(b));
}

/** The calls by their readers, in the order of the page. */
function contents() {
  return source.tags.map(({ name, description }) => {
    const links = operations().filter(({ json }) => json.tags[0] === name).map((each) => `[${each.json.summary}](#${anchor(title(each))})`);
    return `- **${description.replace(/\.$/, '')}**: ${links.join(', ')}.`;
  }).join('\n');
}

function call(operation) {
  const { summary, description } = operation.json;
  const text = `### ${title(operation)}\n\n**${summary}.** ${description ?? ''}\n\n`
    + `${parameters(operation)}${body(operation)}\`\`\`sh\n${curl(operation)}\n\`\`\`\n${answers(operation)}`;
  return text.trim();
}

const inQuery = (operation) => operation.parameters.filter((parameter) => parameter.in !== 'path');
const parameterRow = ({ name, in: place, description, schema }) => `- ${code(name)}${place === 'header' ? ', a header' : ''}: ${description}${values(schema, description)}\n`;

/** The rows of the parameters that several calls have. */
const sharedParameters = (() => {
  const rows = operations().flatMap(inQuery).map(parameterRow);
  return new Set(rows.filter((row, at) => rows.indexOf(row) !== at));
})();

function parameters(operation) {
  const all = inQuery(operation);
  const own = all.map(parameterRow).filter((row) => !sharedParameters.has(row));
  const shared = all.filter((parameter) => sharedParameters.has(parameterRow(parameter))).map(({ name }) => code(name));
  return (own.length > 0 ? `${own.join('')}\n` : '')
    + (shared.length > 0 ? `[Shared parameters](#shared-parameters): ${shared.join(', ')}.\n\n` : '');
}

function body({ json }) {
  if (!json.requestBody) return '';
  const kinds = Object.entries(json.requestBody.content).map(([type, { schema }]) => code(type) + kind(schema));
  return `Body: ${kinds.join(', or ')}.\n\n`;
}

function kind(schema) {
  const named = alternatives(schema).map((one) => (one.$ref ? link(one) : inline(one))).filter((name) => name !== '');
  return named.length > 0 ? `, ${named.join(' or ')}` : '';
}

function inline(object) {
  const names = Object.keys(object.properties ?? {}).map(code);
  return names.length > 0 ? `with ${names.join(', ')}` : '';
}

function curl({ method, path, json, parameters: all }) {
  let url = BASE + path;
  const query = [];
  let options = '';
  for (const { name, in: place, example } of all.filter((parameter) => 'example' in parameter)) {
    if (place === 'path') url = url.replace(`{${name}}`, encode(example));
    else if (place === 'query') query.push(`${name}=${encode(example)}`);
    else options += ` -H '${name}: ${example}'`;
  }
  if (json.requestBody) {
    const { content } = json.requestBody;
    const type = JSON_TYPE in content ? JSON_TYPE : Object.keys(content)[0];
    const { example } = content[type];
    options += ` -H 'Content-Type: ${type}' \\\n  `;
    options += typeof example === 'string'
      ? `--data-binary $'${example.replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`
      : `-d '${spaced(example)}'`;
  }
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const call = `${verb} '${url}${query.length > 0 ? `?${query.join('&')}` : ''}'${options}`;
  return '202' in json.responses && method === 'GET'
    ? `while [ "$(curl -s -o answer.json -w '%{http_code}'${call})" = 202 ]; do sleep 1; done; cat answer.json`
    : `curl${call}`;
}

function answers({ json }) {
  const all = Object.entries(json.responses).map(([status, answer]) => [status, resolve(answer)]);
  const good = all.filter(([status]) => status.startsWith('2')).map(([status, response]) => success(status, response));
  const own = all.map(([status, response]) => [status, problemsOf(response).filter((name) => !COMMON.includes(name)).map(code)])
    .filter(([, names]) => names.length > 0).map(([status, names]) => `${status} ${names.join(', ')}`);
  return `${good.join('')}${own.length > 0 ? `\n[Problems](#problems): ${own.join('; ')}.\n` : ''}`;
}

function problemsOf(response) {
  const schema = resolve(response.content?.['application/problem+json']?.schema);
  return (schema ? schema.oneOf?.map(resolve) ?? [schema] : []).map(problemName);
}

const shownExamples = new Set();

/** An object is shown once, by the first example of it. */
function example(json) {
  const name = json.schema?.$ref;
  if (!('example' in json) || shownExamples.has(name)) return '';
  if (name) shownExamples.add(name);
  return `\n\`\`\`json\n${spaced(json.example)}\n\`\`\`\n`;
}

function success(status, { description, content, headers }) {
  const json = content?.[JSON_TYPE] ?? {};
  const shown = Object.keys(headers ?? {}).filter((name) => !['Cache-Control', 'Vary'].includes(name)).map(code);
  return `\n**${status}** ${description}`
    + (json.schema?.$ref ? ` ${link(json.schema)}` : '')
    + (shown.length > 0 ? ` Headers: ${shown.join(', ')}.` : '')
    + (content?.['text/csv'] ? ' With `Accept: text/csv`, CSV.' : '')
    + '\n'
    + example(json);
}

/** What the answers are made of, in the document's order: all that a call's answer leads to, but the problems. */
function objects() {
  const seen = new Set();
  for (const { json } of operations()) {
    collect(json.requestBody, seen);
    for (const [status, answer] of Object.entries(json.responses)) {
      if (status.startsWith('2')) collect(answer, seen);
    }
  }
  const shown = Object.entries(schemas).filter(([name, schema]) => seen.has(name) && !DEFINITIONS.includes(name) && !isProblem(schema));
  const shared = sharedFields(shown.map(([, schema]) => schema));
  return [`### Shared fields\n\n${[...shared].join('')}`.trim(),
    ...shown.map(([name, schema]) => object(name, schema, shared)).filter((text) => text !== '')].join('\n\n');
}

/** Of the fields that mean the same in several objects, the rows: of each name the one that saves most words. */
function sharedFields(objects) {
  const rows = objects.flatMap(({ properties = {} }) => Object.entries(properties).map(([name, schema]) => fieldRow(name, schema)));
  const saved = (row) => (rows.filter((each) => each === row).length - 1) * row.split(' ').length;
  const best = new Map();
  for (const row of rows.filter((each) => saved(each) > 0)) {
    const [, name] = row.split('`');
    if (!best.has(name) || saved(row) > saved(best.get(name))) best.set(name, row);
  }
  return new Set(best.values());
}

function object(name, schema, shared) {
  const described = schema.description ? `${schema.description}\n\n` : '';
  if (schema.type === 'object') return `### ${name}\n\n${described}${fields(schema, shared, name)}`.trim();
  if (!schema.oneOf) return '';
  return `### ${name}\n\nBy ${code(schema.discriminator.propertyName)} ${schema.oneOf.map(link).join(', ')}. ${schema.description ?? ''}`;
}

function collect(node, seen) {
  if (node === null || typeof node !== 'object') return;
  for (const [key, value] of Object.entries(node)) {
    if (key !== '$ref') collect(value, seen);
    else if (value.startsWith(SCHEMAS) && !seen.has(value.slice(SCHEMAS.length))) {
      seen.add(value.slice(SCHEMAS.length));
      collect(resolve(node), seen);
    }
  }
}

function fields({ required = [], properties = {} }, shared = new Set(), object = '') {
  const mark = (name) => (required.length === 0 || required.includes(name) ? '' : ' ?');
  const all = Object.entries(properties);
  const isShared = ([name, schema]) => shared.has(fieldRow(name, schema));
  const names = all.filter(isShared).map(([name]) => code(name) + mark(name));
  const own = all.filter((each) => !isShared(each)).map(([name, schema]) => fieldRow(name, schema, mark(name)));
  return (names.length > 0 ? `${sharedNames(names, object)}.\n\n` : '') + own.join('');
}

const namesOfEarlier = new Map();

/** The shared fields of an object; of one that is much like an earlier one, only the difference. */
function sharedNames(names, object) {
  const differences = [...namesOfEarlier].map(([earlier, theirs]) => ({
    earlier, without: theirs.filter((name) => !names.includes(name)), also: names.filter((name) => !theirs.includes(name)),
  }));
  const [{ earlier, without, also } = {}] = differences.filter((each) => each.without.length + each.also.length < names.length / 2 - 1)
    .sort((one, other) => one.without.length + one.also.length - other.without.length - other.also.length);
  namesOfEarlier.set(object, names);
  const list = (word, those) => (those.length > 0 ? `, ${word} ${those.join(', ')}` : '');
  return earlier
    ? `[Shared fields](#shared-fields) as [${earlier}](#${anchor(earlier)})${list('without', without)}${list('and', also)}`
    : `[Shared fields](#shared-fields): ${names.join(', ')}`;
}

function fieldRow(name, schema, mark = '') {
  const text = describe(schema);
  return `- ${code(name)}${mark}, ${type(schema)}${text === '' ? '' : `: ${text}`}\n`;
}

function type(schema) {
  if (schema.$ref) {
    const target = resolve(schema);
    return target.properties || target.oneOf ? link(schema) : type(target);
  }
  if (schema.anyOf) return type(schema.anyOf.at(-1));
  if (schema.oneOf) return schema.oneOf.map(link).join(' or ');
  const [name] = [schema.type].flat();
  if (name === 'array') return `list of ${type(schema.items)}`;
  const formats = { date: 'date', 'date-time': 'time' };
  const names = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean' };
  return formats[schema.format] ?? names[name] ?? (inline(schema) === '' ? name : `object ${inline(schema)}`);
}

function describe(schema) {
  const target = resolve(schema);
  const said = schema.description || (target.properties ? '' : target.description);
  return ((said ?? '') + values(target, said)).trim();
}

/** What the schema adds to its description. */
function values(schema, said = '') {
  const target = resolve(schema);
  const listed = (target.enum ?? []).filter((value) => value !== null).map(code);
  const text = listed.length < 2 || listed.every((value) => said.includes(value)) ? '' : ` ${listed.join(', ')}.`;
  if (target.maximum > 0 && target.maximum < 10_000_000) {
    return `${text} ${target.minimum ?? 0} to ${target.maximum}${'default' in target ? `, by default ${literal(target.default)}` : ''}.`;
  }
  return 'maxLength' in target && !said.includes(`to ${target.maxLength}`) ? `${text} At most ${target.maxLength} characters.` : text;
}

function problems() {
  const rows = Object.values(schemas).filter(isProblem).map((schema) => {
    const members = Object.keys(schema.properties).filter((member) => !['type', 'title', 'status', 'detail'].includes(member)).map(code);
    return `- ${code(problemName(schema))}, ${schema.properties.status.enum[0]}${members.length > 0 ? `, with ${members.join(', ')}` : ''}. ${advice(schema)}`;
  });
  return rows.join('\n');
}

function advice(problem) {
  const said = problem.description ?? '';
  const first = ADVICE.find((each) => said.startsWith(each));
  if (!first) throw new Error(`The schema of ${problemName(problem)} needs a description that begins with what a caller is to do: ${ADVICE.join(', ')}.`);
  return `**${first}**${said.slice(first.length)}`;
}

/** On one line where it fits, else a line for each member. */
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
  contents, calls: () => operations().map(call).join('\n\n'),
  'shared parameters': () => [...sharedParameters].join('').trim(),
  definition: () => fields(schemas.DefinitionChange).trim(), objects, problems,
};
const page = Object.entries(made).reduce((text, [name, part]) => text.replace(`{{${name}}}`, part), readFileSync(TEMPLATE, 'utf8'));
writeFileSync(TARGET, page);
