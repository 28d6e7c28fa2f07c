/** The rules for names of sequences: which are valid, and which look alike. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,62}$/;
const TEMPLATES = '~';

/** Returns why no sequence can have this name; undefined for a valid or empty name. */
export function nameProblem(name: string): string | undefined {
  return name === '' || NAME.test(name) ? undefined
    : name.length > 63 ? 'At most 63 characters.' : 'Letters, digits and . _ ~ - only, starting with a letter or digit.';
}

export function scopeProblem(scope: string): string | undefined {
  return scope === TEMPLATES ? undefined : nameProblem(scope);
}

/** Removes differences that people overlook: case, separators and plural endings. */
function skeleton(name: string): string {
  return name.toLowerCase().split(/[._~-]+/).filter(Boolean).map(singular).join('');
}

function singular(word: string): string {
  if (word.length < 4) {
    return word;
  }
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<=s|x|z|ch|sh)es$|(?<!s)s$/, '');
}

/** Whether two different names look alike. */
export function areAlike(one: string, other: string): boolean {
  return one !== other && skeleton(one) === skeleton(other);
}
