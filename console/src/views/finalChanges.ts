import type {Draft} from './fields.ts';

/** What a change of a sequence in use does that no later change can take back. */
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

/** Whether one number is larger; also where one of them is the default, which this page does not know, or no number. */
function isBeyond(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map(value => (/^-?\d+$/.test(String(value)) ? BigInt(String(value)) : undefined));
  return a === undefined || b === undefined || a > b;
}
