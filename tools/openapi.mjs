// The functions that the programs with input openapi.json share.
import { readFileSync } from 'node:fs';

const AS_WRITTEN = '\0';

/** Reads the document. Numbers that JSON.parse would shorten or round are kept in their original form: see {@link literal}. */
export function read(file) {
  const text = readFileSync(file, 'utf8').replace(/(": )(-?\d+\.0|-?\d{17,})(?=[,\s}])/g, `$1"\\u0000$2"`);
  return JSON.parse(text);
}

/** Returns the target of a reference; any other node unchanged. */
export function resolve(document, node) {
  if (!node?.$ref) return node;
  return node.$ref.slice(2).split('/').reduce((at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** Writes a value other than an object or a list as JSON. */
export function literal(value) {
  return typeof value === 'string' && value.startsWith(AS_WRITTEN) ? value.slice(AS_WRITTEN.length) : JSON.stringify(value);
}
