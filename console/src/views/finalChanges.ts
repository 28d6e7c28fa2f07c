import type {Draft} from './fields.ts';

/** Returns the irreversible effects of a change to a sequence in use, as sentences. */
export function finalChanges(before: Draft, patch: Readonly<Record<string, unknown>>): string[] {
  const finals: string[] = [];
  if ('dateOrder' in patch && before['dateOrder'] === 'ascending') {
    finals.push('Date order is switched off. Dates may then go back, and it cannot be switched on again.');
  }
  if ('maxValue' in patch && isBeyond(patch['maxValue'], before['maxValue'])) {
    finals.push(`The largest number becomes ${patch['maxValue'] ?? 'the default'}. It cannot be lowered again.`);
  }
  if ('minValue' in patch && isBeyond(before['minValue'], patch['minValue'])) {
    finals.push(`The smallest number becomes ${patch['minValue'] ?? 'the default'}. It cannot be raised again.`);
  }
  if ('timeZone' in patch) {
    finals.push(`The time zone becomes ${patch['timeZone']}. It can be set only once; earlier dates stay as they are.`);
  }
  return finals;
}

/**
 * Whether one number is larger than the other. Also true if one of them is not a number, or is the default, whose value this page does not
 * know.
 */
function isBeyond(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map(value => (/^-?\d+$/.test(String(value)) ? BigInt(String(value)) : undefined));
  return a === undefined || b === undefined || a > b;
}
