/** Names of sequences: which there can be, and which a person would mix up. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,62}$/;
const TEMPLATES = '~';

/** Why no sequence can have this name; undefined where one can, or nothing is typed yet. */
export function nameProblem(name: string): string | undefined {
  return name === '' || NAME.test(name) ? undefined
    : name.length > 63 ? 'At most 63 characters.' : 'Letters, digits and . _ ~ - only, starting with a letter or digit.';
}

export function scopeProblem(scope: string): string | undefined {
  return scope === TEMPLATES ? undefined : nameProblem(scope);
}

/** Without what the eye passes over: case, separators, and the ending of a plural. */
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
