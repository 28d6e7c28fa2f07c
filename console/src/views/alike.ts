import type {ApiRequest} from '../api.ts';
import {pagesOf} from '../api.ts';
import {areAlike} from '../names.ts';
import {useAnswer} from '../requests.ts';
import type {Path} from '../router.ts';

const LISTED: ApiRequest = {call: 'ListSequences', query: {limit: 1000}};
/** The most pages to compare: more names would take too long for a form. */
const PAGES = 10;
const SHOWN = 5;

/** Finds the sequences whose scope and name look like these, among the first 10,000. A failure only hides the warning. */
export function useAlike(scope: string, name: string): readonly Path[] {
  const {value = []} = useAnswer<readonly Path[]>(scope && name ? {...LISTED, path: {scope, name}} : null, async (_, report, signal) => {
    const found: Path[] = [];
    let pages = 0;
    for await (const page of pagesOf<{sequences: readonly Path[]}>(LISTED, signal)) {
      found.push(...page.sequences.filter(other => isAlike({scope, name}, other)));
      report(found.slice(0, SHOWN));
      if (++pages === PAGES) {
        return;
      }
    }
  });
  return value;
}

/** Whether two sequences look alike: in one scope, or in scopes that look alike themselves. */
function isAlike(one: Path, other: Path): boolean {
  return one.scope === other.scope ? areAlike(one.name, other.name)
    : areAlike(one.scope, other.scope) && (one.name === other.name || areAlike(one.name, other.name));
}
