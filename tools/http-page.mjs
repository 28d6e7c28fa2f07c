#!/usr/bin/env node
// Writes docs/http.md from tools/http-page.template and openapi.json. Needs only Node 22 or later.
import { readFileSync, writeFileSync } from 'node:fs';
import { literal, read, resolve as resolveIn } from './openapi.mjs';

const TARGET = process.argv[2] ?? 'docs/http.md';
const TEMPLATE = new URL('http-page.template', import.meta.url);
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const PROBLEM = 'urn:problem-type:numera:';
const BASE = 'http://127.0.0.1:7071/api';
const JSON_TYPE = 'application/json';
const SCHEMAS = '#/components/schemas/';
// Longer examples are written on several lines.
const LINE = 130;
// Calls that end or change the sequence of the examples follow the others, and calls that concern no sequence come last.
const LAST = ['UploadBatch', 'UploadCsv', 'ReadBatch', 'ListBatches', 'ImportNumbers', 'ReadImport', 'ListImports', 'PatchDefinition', 'ChangeStatus', 'Suspend', 'Resume', 'Retire', 'CloseDates', 'ListClosings', 'Health', 'Console', 'ConsoleFile', 'OpenApi'];
// The requested and the returned definition share a table.
const DEFINITIONS = ['Definition', 'DefinitionChange'];
// Any call, or any call with a body, may answer these problems. The page lists them only once.
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
const shortTitle = (operation) => title(operation).replace('/sequences/{scope}/{name}', '…');
// Returns the anchor that GitHub gives to a heading.
const anchor = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{Nd} -]/gu, '').replaceAll(' ', '-');
// Encodes a value as in a form, with a plus for a space.
const encode = (value) => new URLSearchParams([['', value]]).toString().slice(1);

const nameOf = ({ $ref }) => $ref.replace(/.*\//, '');

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
    const links = operations().filter(({ json }) => json.tags[0] === name).map((each) => `[${code(shortTitle(each))}](#${anchor(title(each))})`);
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
  const bodies = alternatives(schema).map((one) => (isDefinition(one) ? '[definition](#definitions)' : inline(resolve(one)))).filter((text) => text !== '');
  return bodies.length > 0 ? `, ${bodies.join(' or ')}` : '';
}

const isDefinition = (schema) => '$ref' in schema && DEFINITIONS.includes(nameOf(schema));

function inline(object) {
  const mark = (name) => (object.required?.includes(name) ? '' : ' ?');
  const names = Object.keys(object.properties ?? {}).map((name) => code(name) + mark(name));
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

function answers(operation) {
  const all = Object.entries(operation.json.responses).map(([status, answer]) => [status, resolve(answer)]);
  const good = all.filter(([status]) => status.startsWith('2')).map(([status, response]) => success(operation, status, response));
  const own = all.map(([status, response]) => [status, problemsOf(response).filter((name) => !COMMON.includes(name)).map(code)])
    .filter(([, names]) => names.length > 0).map(([status, names]) => `${status} ${names.join(', ')}`);
  return `${good.join('')}${own.length > 0 ? `\n[Problems](#problems): ${own.join('; ')}.\n` : ''}`;
}

function problemsOf(response) {
  const schema = resolve(response.content?.['application/problem+json']?.schema);
  return (schema ? schema.oneOf?.map(resolve) ?? [schema] : []).map(problemName);
}

const shownExamples = new Map();

/** Shows an example of an object; later calls refer to the first one. */
function example(json, operation) {
  const name = json.schema?.$ref && nameOf(json.schema);
  if (DEFINITIONS.includes(name) && shownExamples.has(name)) return ' Fields: [definition](#definitions).\n';
  if (shownExamples.has(name)) return ` Like [${title(shownExamples.get(name))}](#${anchor(title(shownExamples.get(name)))}).\n`;
  if (!('example' in json)) return '\n';
  if (name) shownExamples.set(name, operation);
  return `\n\n\`\`\`json\n${spaced(json.example)}\n\`\`\`\n`;
}

function success(operation, status, { description, content, headers }) {
  const json = content?.[JSON_TYPE] ?? {};
  const shown = Object.keys(headers ?? {}).filter((name) => !['Cache-Control', 'Vary'].includes(name)).map(code);
  return `\n**${status}** ${description}`
    + (shown.length > 0 ? ` Headers: ${shown.join(', ')}.` : '')
    + (content?.['text/csv'] ? ' With `Accept: text/csv`, CSV.' : '')
    + example(json, operation);
}

/** Lists the meaning of each field of bodies and answers. Each meaning appears once, with the names of all fields that have it. */
function meanings() {
  const seen = new Set();
  for (const { json } of operations()) {
    collect(json.requestBody, seen);
    for (const [status, answer] of Object.entries(json.responses)) {
      if (status.startsWith('2')) collect(answer, seen);
    }
  }
  const shown = Object.entries(schemas).filter(([name, schema]) => seen.has(name) && !DEFINITIONS.includes(name) && !isProblem(schema));
  const all = shown.flatMap(([object, { properties = {} }]) => Object.entries(properties)
    .map(([name, schema]) => ({ object, name, text: describe(schema) }))).filter(({ text }) => /[a-z]{3}/.test(text));
  const names = new Map(all.map(({ text }) => [text, new Set()]));
  for (const { object, name, text } of all) {
    const isOther = all.find((first) => first.name === name).text !== text;
    if (!isOther) names.get(text).add(code(name));
    else if (!all.some((each) => each.name === name && each.text === text && names.get(text).size > 0)) names.get(text).add(`${code(name)} of ${code(object)}`);
  }
  return [...names].map(([text, those]) => `- ${[...those].join(', ')}: ${text}`).sort().join('\n');
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

function fields({ properties }) {
  return Object.entries(properties).map(([name, schema]) => `- ${code(name)}, ${type(schema)}: ${describe(schema)}\n`).join('');
}

function type(schema) {
  if (schema.$ref) return type(resolve(schema));
  const [name] = [schema.type].flat();
  return schema.format === 'date' ? 'date' : { integer: 'number' }[name] ?? name;
}

function describe(schema) {
  const target = resolve(schema);
  const said = schema.description || (target.properties ? '' : target.description);
  return ((said ?? '') + values(target, said)).trim();
}

/** Returns the bounds and values of a schema that its description does not mention. */
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
  contents, calls: () => operations().map(call).join('\n\n'),
  'shared parameters': () => [...sharedParameters].join('').trim(),
  definition: () => fields(schemas.DefinitionChange).trim(), fields: meanings, problems,
};
const page = Object.entries(made).reduce((text, [name, part]) => text.replace(`{{${name}}}`, part), readFileSync(TEMPLATE, 'utf8'));
writeFileSync(TARGET, page);
