// Reads the words that the sources of the console print.

/** The attributes that are shown to people. */
const SHOWN = /\s(?:label|title|hint|verb|placeholder|caption|aria-label)="([^"]*)"/g;
const TAG = /<[^<>"]*(?:"[^"]*"[^<>"]*)*>/;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\//y;
const STRING = /'(?:\\.|[^'\\])*'/y;
/** Stands for an expression within a template. */
const VALUE = '\0';

/**
 * Returns the words that a source prints: the texts of its markup, its strings for people, which start with a capital letter or have a blank,
 * and the parts with at least three words of its sentences. A single word beside an expression means nothing alone.
 */
export function printed(source) {
  const found = [];
  const keep = text => found.push(text.replace(/\s+/g, ' ').trim());
  const addText = (text, isForPeople) => {
    const parts = text.split(VALUE).filter(part => /[a-z]/i.test(part));
    const isWhole = parts.length === 1 && !text.trim().includes(VALUE);
    parts.filter(part => isWhole ? isForPeople(part) : part.trim().split(/\s+/).length > 2).forEach(keep);
  };
  const isForPeople = text => /^[A-Z]|\w \w/.test(text);
  let at = 0;
  const match = pattern => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(source);
    at += text.length - 1;
    return text;
  };
  const template = () => {
    const isMarkup = source.slice(0, at).endsWith('html');
    let all = '';
    for (at++; source[at] !== '`'; at++) {
      if (source.startsWith('${', at)) {
        at += 2;
        code('}');
        all += VALUE;
      } else {
        all += source[at] === '\\' ? source[++at] : source[at];
      }
    }
    if (isMarkup) {
      all.split(TAG).forEach(text => addText(text, () => true));
      [...all.matchAll(SHOWN)].forEach(([, text]) => addText(text, () => true));
    } else {
      addText(all, isForPeople);
    }
  };
  const code = end => {
    for (let before = ''; at < source.length && source[at] !== end; at++) {
      const next = source[at];
      if (source.startsWith('//', at)) {
        at = source.indexOf('\n', at);
      } else if (source.startsWith('/*', at)) {
        at = source.indexOf('*/', at) + 1;
      } else if (next === '\'') {
        addText(match(STRING).slice(1, -1).replaceAll('\\', ''), isForPeople);
      } else if (next === '`') {
        template();
      } else if (next === '/' && '(,=:[!&|?{;'.includes(before)) {
        match(REGEX);
      } else if (next === '{') {
        at++;
        code('}');
      }
      before = next.trim() ? next : before;
    }
  };
  code();
  return found;
}
