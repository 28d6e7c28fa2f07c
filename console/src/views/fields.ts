import {html} from '../html.ts';
import {Check, Field} from '../parts.ts';
import {CONTACT, GUARANTEE, KEYS, NUMBERS} from '../terms.ts';
import type {Definition} from '../words.ts';

/** A definition as the user types it. Every field is a string; an empty one means the default. */
export type Draft = Readonly<Record<string, string>>;

type Kind = 'text' | 'number' | 'choice' | 'truth';

interface FieldOf {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  readonly hint: string;
  /** The placeholder, which names the default. */
  readonly empty?: string;
  readonly options?: readonly (string | readonly [string, string])[];
  /** Whether the field is fixed once the first number is allocated. */
  readonly fixed?: boolean;
  /** The guarantees that do not have this field. */
  readonly notFor?: readonly string[];
}

interface Group {
  readonly title: string;
  readonly fields: readonly FieldOf[];
}

const GUARANTEES = [
  ['strict', 'strict: distinct and in order'],
  ['gapless', 'gapless: no gaps, each with a key'],
  ['cached', 'cached: fast, from blocks'],
  ['snowflake', 'snowflake: ids by the clock'],
] as const;
const ID_ONLY = ['snowflake'];

export const GROUPS: readonly Group[] = [
  {title: 'Purpose', fields: [
    {name: 'description', label: 'Description', kind: 'text', hint: 'What the numbers are for, for people.'},
    {name: 'contact', label: CONTACT, kind: 'text', hint: 'Who answers questions about them.'},
  ]},
  {title: 'Texts', fields: [
    {name: 'format', label: 'Format', kind: 'text',
      hint: 'Such as INV-{yyyy}-{n:6}. Exactly one of {n} and {r:W}; dates {yyyy} {yy} {MM} {dd}, {fy}; {scope}; check digits {check:luhn}. Empty: plain numbers.'},
    {name: 'maxLength', label: 'Maximum length', kind: 'number', hint: 'In characters. Empty: no limit.'},
  ]},
  {title: NUMBERS, fields: [
    {name: 'guarantee', label: GUARANTEE, kind: 'choice', options: GUARANTEES, fixed: true, hint: 'What is certain about the numbers, and how fast they are.'},
    {name: 'start', label: 'Start', kind: 'number', empty: 'smallest number', fixed: true, notFor: ID_ONLY, hint: 'The first number of every period.'},
    {name: 'increment', label: 'Increment', kind: 'number', empty: '1', fixed: true, notFor: ID_ONLY, hint: 'The step from number to number. A negative one counts down.'},
    {name: 'minValue', label: 'Smallest number', kind: 'number', empty: '1', notFor: ID_ONLY, hint: 'Can only be lowered after the first number.'},
    {name: 'maxValue', label: 'Largest number', kind: 'number', empty: '9007199254740991', notFor: ID_ONLY, hint: 'Can only be raised after the first number.'},
    {name: 'cycle', label: 'Restart at the end of the range', kind: 'truth', fixed: true, notFor: ['gapless', 'snowflake'], hint: 'Numbers will repeat.'},
    {name: 'cacheSize', label: 'Block size', kind: 'number', empty: '100', notFor: ['strict', 'gapless', 'snowflake'], hint: 'How many numbers an instance reserves at once.'},
    {name: 'keys', label: KEYS, kind: 'choice', options: ['optional', 'required'], notFor: ['gapless', 'cached', 'snowflake'], hint: 'Required: a call without a key is refused. Not with a restart at the end of the range.'},
    {name: 'warnAtPercent', label: 'Warn at (percent)', kind: 'number', empty: '90', notFor: ID_ONLY, hint: 'The share of the range that raises a warning, 1 to 100.'},
  ]},
  {title: 'Dates', fields: [
    {name: 'resetEvery', label: 'Restarts numbering', kind: 'choice', options: ['never', ['year', 'every year'], ['quarter', 'every quarter'], ['month', 'every month'], ['day', 'every day']], fixed: true, notFor: ID_ONLY,
      hint: 'Each period has a counter of its own.'},
    {name: 'timeZone', label: 'Time zone', kind: 'text', empty: 'none: dates are UTC', fixed: true, hint: 'Days start at midnight in this zone: Europe/Berlin, UTC, +02:00. Required where numbers restart or texts show a date.'},
    {name: 'fiscalYearStart', label: 'Start of the fiscal year', kind: 'number', empty: '1', fixed: true, hint: 'The month, 1 to 12, or month and day, such as 04-06. For years, quarters, {fy} and {q}.'},
    {name: 'dateOrder', label: 'Date order', kind: 'choice', options: ['none', 'ascending'], notFor: ['cached', 'snowflake'],
      hint: 'Ascending: a date must not be before the last one. Can be switched off later, but not on again.'},
  ]},
];

const FIELDS = GROUPS.flatMap(group => group.fields);

/** Returns the label of a field. A field that only a newer service knows keeps its own name. */
export function labelOf(name: string): string {
  return FIELDS.find(field => field.name === name)?.label ?? name;
}

const DATE_TOKEN = /\{(?:yyyy|yy|MM|dd|DDD|ww|gggg|fy(?::2(?:-2)?)?|q)\}/;

/** Whether numbers restart or texts show a date, so that the service requires a time zone. */
function needsZone(draft: Draft): boolean {
  return (draft['resetEvery'] || 'never') !== 'never' || DATE_TOKEN.test(draft['format'] ?? '');
}

/** Fills in the browser's time zone as soon as a draft needs one. The owner sees it before anything is stored, and can change it. */
export function proposingZone(before: Draft, after: Draft): Draft {
  return needsZone(after) && !needsZone(before) && !after['timeZone']
    ? {...after, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone} : after;
}

/** Returns a definition as a draft for the form. */
export function draftOf(definition: Definition): Draft {
  return Object.fromEntries(FIELDS.map(({name}) => [name, definition[name] === undefined ? '' : String(definition[name])]));
}

/**
 * Returns the value of a typed text; null means the default. Text that is not a number is sent unchanged, so that the service refuses it
 * with a reason.
 */
function valueOf(field: FieldOf, text: string): unknown {
  if (text === '') {
    return null;
  }
  if (field.kind === 'truth') {
    return text === 'true';
  }
  if (field.kind === 'number' && /^-?\d{1,20}$/.test(text.trim())) {
    const number = BigInt(text.trim());
    return Number.isSafeInteger(Number(number)) ? Number(number) : number;
  }
  return text;
}

function applies(field: FieldOf, guarantee: string | undefined): boolean {
  return !field.notFor?.includes(guarantee || 'strict');
}

/**
 * Returns the changes as a merge patch. Fields that the new guarantee does not have return to their defaults; otherwise the service would
 * refuse them.
 */
export function patchOf(before: Draft, after: Draft): Record<string, unknown> {
  const meant = (field: FieldOf) => applies(field, after['guarantee']) ? after[field.name] ?? '' : '';
  const changes = (field: FieldOf) => applies(field, after['guarantee']) || applies(field, before['guarantee']);
  return Object.fromEntries(FIELDS.filter(field => changes(field) && (before[field.name] ?? '') !== meant(field))
    .map(field => [field.name, valueOf(field, meant(field))]));
}

/** Returns a new definition with the typed fields that its guarantee has. */
export function definitionOf(draft: Draft): Record<string, unknown> {
  return Object.fromEntries(FIELDS.filter(field => draft[field.name] && applies(field, draft['guarantee']))
    .map(field => [field.name, valueOf(field, draft[field.name]!)]));
}

interface FormProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** The reason why the fixed fields cannot be changed; empty while they can. */
  readonly fixedBecause: string;
  /** Whether a time zone is stored. Until then it may be set once. */
  readonly hasZone?: boolean;
  /** The error of each field. */
  readonly wrong: Readonly<Record<string, string>>;
}

export function DefinitionFields({draft, onDraft, fixedBecause, hasZone, wrong}: FormProps) {
  const isFixed = (field: FieldOf) => field.fixed && (field.name !== 'timeZone' || hasZone);
  const set = (name: string) => (value: string) => onDraft(proposingZone(draft, {...draft, [name]: value}));
  return html`${GROUPS.map(group => {
    const fields = group.fields.filter(field => applies(field, draft['guarantee']));
    return fields.length > 0 && html`
      <fieldset key=${group.title}>
        <legend>${group.title}</legend>
        <div class="grid">${fields.map(field => html`
          <${One} key=${field.name} field=${field} value=${draft[field.name] ?? ''} onValue=${set(field.name)}
              fixedBecause=${isFixed(field) ? fixedBecause : ''} wrong=${wrong[field.name]} />`)}</div>
      </fieldset>`;
  })}`;
}

interface OneProps {
  readonly field: FieldOf;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly fixedBecause: string;
  readonly wrong: string | undefined;
}

function One({field, value, onValue, fixedBecause, wrong}: OneProps) {
  const hint = fixedBecause ? html`<strong>Fixed.</strong> ${fixedBecause}` : field.hint;
  if (field.kind === 'truth') {
    return html`<${Check} label=${field.label} checked=${value === 'true'} disabled=${!!fixedBecause} hint=${wrong ?? hint}
      onChecked=${(checked: boolean) => onValue(String(checked))} />`;
  }
  return html`<${Field} label=${field.label} value=${value} onValue=${onValue} error=${wrong} hint=${hint}
    as=${field.kind === 'choice' ? 'select' : 'input'} options=${field.options} disabled=${!!fixedBecause}
    placeholder=${field.empty} inputmode=${field.kind === 'number' && field.name !== 'fiscalYearStart' ? 'numeric' : undefined} class=${field.name === 'format' ? 'mono' : ''}
    autocomplete="off" spellcheck=${field.name === 'description'} />`;
}
