#!/usr/bin/env node
// Converts openapi.json to OpenAPI 2.0, which custom connectors of Power Automate and Logic Apps need: docs/connector.md. Each release
// contains the result. Needs only Node 22 or later. OpenAPI 2.0 has no alternatives, no null, and one type of body per call: alternatives
// become one object with the fields of all, and bodies and answers are in JSON. The app still checks every rule that 2.0 cannot express.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { literal, read, resolve as resolveIn } from './openapi.mjs';

const [SOURCE, TARGET] = process.argv.length > 2
  ? process.argv.slice(2)
  : ['src/main/resources/dev/numera/functions/openapi.json', 'target/connector.json'];
const JSON_TYPE = 'application/json';
const SCHEMAS = '#/components/schemas/';
// Calls for programs or people that no flow needs.
const LEFT_OUT = ['OpenApi', 'Docs', 'Console', 'ConsoleFile'];
// Keywords that 2.0 does not have, and patterns, which flows do not check.
const UNKNOWN = ['title', 'not', 'const', 'pattern', 'dependentRequired', 'dependentSchemas', 'discriminator', 'mapping'];
const IMPORTANT = ['Idempotency-Key', 'key', 'date'];

const source = read(SOURCE);
const used = new Set();

const resolve = (node) => resolveIn(source, node);

function reference(name) {
  used.add(name);
  return { $ref: `#/definitions/${name}` };
}

function referred(schema) {
  const target = resolve(schema);
  if (target.properties || target.oneOf) return reference(schema.$ref.replace(SCHEMAS, ''));
  const inline = made(target);
  if ('description' in schema) inline.description = schema.description;
  return inline;
}

/** Returns what two schemas of a field have in common, so that values of either are valid: the words of both, and the first description. */
function either(one, other) {
  const same = Object.entries(one).filter(([keyword, value]) => keyword === 'description' || JSON.stringify(other[keyword]) === JSON.stringify(value));
  return { ...Object.fromEntries(same), ...(one.enum && other.enum && { enum: [...new Set([...one.enum, ...other.enum])] }) };
}

/** Merges alternatives into one object, with the fields of all. It requires the fields that every alternative requires. */
function merged(choice) {
  const properties = {};
  let required;
  for (const object of choice.oneOf.map(resolve)) {
    const own = object.required ?? [];
    required = required ? required.filter((name) => own.includes(name)) : own;
    for (const [name, property] of Object.entries(object.properties)) {
      const schema = made(property);
      properties[name] = name in properties ? either(properties[name], schema) : schema;
    }
  }
  return {
    type: 'object',
    ...('description' in choice && { description: choice.description }),
    ...(required.length > 0 && { required }),
    properties,
  };
}

/** Returns the type; none if a value may have several types besides null. */
function types(type) {
  if (!Array.isArray(type)) return { type };
  const known = type.filter((one) => one !== 'null');
  return { ...(known.length < type.length && { 'x-nullable': true }), ...(known.length === 1 && { type: known[0] }) };
}

function field(name, value) {
  switch (name) {
    case 'type': return types(value);
    case 'enum': return { enum: value.filter((one) => one !== null) };
    case 'properties': return { properties: Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, made(schema)])) };
    case 'items': return { items: made(value) };
    // Larger bounds are left out, because not every client reads such JSON numbers exactly.
    case 'minimum': case 'maximum': return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? { [name]: value } : {};
    default: return { [name]: value };
  }
}

function made(schema) {
  if (schema.$ref) return referred(schema);
  // An object for all alternatives.
  if (schema.oneOf) return merged(schema);
  return Object.assign({}, ...Object.entries(schema).filter(([name]) => !UNKNOWN.includes(name)).map(([name, value]) => field(name, value)));
}

function parameter({ name, in: place, required, description, schema }) {
  const about = { name, in: place, required: required ?? false, description, 'x-ms-summary': name };
  if (place === 'path') about['x-ms-url-encoding'] = 'single';
  else about['x-ms-visibility'] = IMPORTANT.includes(name) ? 'important' : 'advanced';
  for (const [key, value] of Object.entries(made(schema))) about[key] ??= value;
  if (about.type === 'array') about.collectionFormat = 'csv';
  return about;
}

function body(content) {
  const type = JSON_TYPE in content ? JSON_TYPE : Object.keys(content)[0];
  return { type, parameter: { name: 'body', in: 'body', required: true, schema: made(content[type].schema) } };
}

function response({ description, content, headers }) {
  const json = content?.[JSON_TYPE] ?? {};
  const about = { description };
  if (json.schema) about.schema = made(json.schema);
  if ('example' in json) about.examples = { [JSON_TYPE]: json.example };
  const kept = ['Location', 'Retry-After', 'ETag'].filter((name) => headers?.[name]).map((name) => {
    const header = resolve(headers[name]);
    return [name, { type: header.schema.type, description: header.description }];
  });
  if (kept.length > 0) about.headers = Object.fromEntries(kept);
  return about;
}

function call(ofPath, operation) {
  const about = {};
  for (const name of ['operationId', 'summary', 'description', 'tags']) {
    if (name in operation) about[name] = operation[name];
  }
  if (operation.security?.length === 0) about.security = [];
  about.parameters = [...ofPath, ...(operation.parameters ?? [])].map(resolve).map(parameter);
  if (operation.requestBody) {
    const { type, parameter: sent } = body(operation.requestBody.content);
    about.consumes = [type];
    about.parameters.push(sent);
  }
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  about.responses = Object.fromEntries(successes.map(([status, answer]) => [status, response(resolve(answer))]));
  about.responses.default = { description: 'A problem: its type says which, its detail what to do.', schema: reference('AnyProblem') };
  return about;
}

function paths() {
  const all = {};
  for (const [path, calls] of Object.entries(source.paths)) {
    const kept = Object.entries(calls).filter(([, operation]) => operation.operationId && !LEFT_OUT.includes(operation.operationId));
    if (kept.length > 0) all[path] = Object.fromEntries(kept.map(([method, operation]) => [method, call(calls.parameters ?? [], operation)]));
  }
  return all;
}

/** Builds the schemas that the calls use, directly or through other schemas. The set grows during the loop. */
function definitions() {
  const all = {};
  for (const name of used) all[name] = made(source.components.schemas[name]);
  return all;
}

/** Writes JSON in a fixed format, with a space before each colon and each element on its own line. */
function text(value, indent = '') {
  if (value === null || typeof value !== 'object') return literal(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item) => inner + text(item, inner))
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)} : ${text(item, inner)}`);
  return members.length === 0 ? `${open} ${close}` : `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

const definition = {
  swagger: '2.0',
  info: {
    title: 'Numera',
    description: `${source.info.summary}. ${source.info.description.split('\n\n')[0]}`,
    version: source.info.version,
  },
  host: 'APP.azurewebsites.net',
  basePath: '/api',
  schemes: ['https'],
  consumes: [JSON_TYPE],
  produces: [JSON_TYPE],
  securityDefinitions: { api_key: { type: 'apiKey', in: 'header', name: 'x-functions-key' } },
  security: [{ api_key: [] }],
  paths: paths(),
  definitions: definitions(),
};
mkdirSync(dirname(TARGET), { recursive: true });
writeFileSync(TARGET, `${text(definition)}\n`);
