// What the programs that write documents from openapi.json share.
import { readFileSync } from 'node:fs';

const AS_WRITTEN = '\0';

/** The document; a number that JSON.parse would shorten or round is kept as it is written: see {@link literal}. */
export function read(file) {
  const text = readFileSync(file, 'utf8').replace(/(": )(-?\d+\.0|-?\d{17,})(?=[,\s}])/g, `$1"\\u0000$2"`);
  return JSON.parse(text);
}

/** What a reference points to; anything else as it is. */
export function resolve(document, node) {
  if (!node?.$ref) return node;
  return node.$ref.slice(2).split('/').reduce((at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** A value that is no object and no list, in JSON. */
export function literal(value) {
  return typeof value === 'string' && value.startsWith(AS_WRITTEN) ? value.slice(AS_WRITTEN.length) : JSON.stringify(value);
}
