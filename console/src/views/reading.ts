import {html, useState} from '../html.ts';
import {Chip, Facts, Field, StatusChip, Table, type Column} from '../parts.ts';
import {DATE, KEY, LINE, NUMBER, NUMBERS_IN_NO_ROW, ROWS, STATUS, STATUS_NAMES} from '../terms.ts';
import {amount, day} from '../words.ts';
import {columnOf, gapName, isCalled, isNotationOpen, notationsOf, pairsOf, readAs, ROLES, statusMapOf, withIgnored, withParameter, withRole, type FileColumn, type Inspection, type Parameters, type Role} from './inspection.ts';

/** The step "See how the file is read": the service's reading of a file, with fields to correct it. */

interface ReadingProps {
  readonly inspection: Inspection | undefined;
  readonly stated: Parameters;
  readonly onStated: (stated: Parameters) => void;
  /** Each role with its label, and the label of having no column. */
  readonly roles: readonly (readonly [role: Role, label: string, none: string])[];
  /** The reasons why the service would refuse the file, by parameter. */
  readonly wrong: Readonly<Record<string, string>>;
  /** The words in a column of the sample, for the map of statuses. */
  readonly wordsOf: (column: string) => readonly string[];
}

export function Reading(props: ReadingProps) {
  const {inspection, stated, onStated, roles, wrong} = props;
  const columns = inspection?.columns ?? [];
  const names = columns.map(({name}) => name);
  const shown: Parameters = {...inspection?.suggested, ...stated};
  const [date, number, text, status] = (['dateColumn', 'numberColumn', 'textColumn', 'statusColumn'] as const)
    .map(role => roles.some(([each]) => each === role) ? columnOf(role, shown, names) : '');
  const choose = (role: Role) => (column: string) => onStated(withRole(stated, role, column, columnOf(role, shown, names)));
  return html`
    <${Structure} ...${props} />
    ${inspection && html`
      <${Columns} ...${props} shown=${shown} />
      <div class="bar">${roles.map(([role, label, none]) => html`<${Field} key=${role} label=${label} as="select" error=${wrong[role]}
        value=${columnOf(role, shown, names)} onValue=${choose(role)} options=${[['', none], ...names.filter(Boolean)]} />`)}</div>
      <div class="bar">
        ${date && html`<${DateNotation} key=${date} column=${columns.find(({name}) => isCalled(name, date))} shown=${shown} ...${props} />`}
        ${number && html`
          <${Notation} ...${props} shown=${shown} parameter="grouping" label="Between groups of three digits" options=${[['', 'nothing'], [',', 'a comma: 1,041'], ['.', 'a dot: 1.041'], [' ', 'a space: 1 041'], ["'", "an apostrophe: 1'041"]]} />
          <${Notation} ...${props} shown=${shown} parameter="decimal" label="Before decimal places" options=${[['', 'no decimals'], [',', 'a comma: 41,00'], ['.', 'a dot: 41.00']]} />`}
        ${(number || text) && html`<${Field} label="No number beyond" error=${wrong['maxNumber']} value=${String(shown['maxNumber'] ?? '')} inputmode="numeric" placeholder="no limit"
          hint="Refuses the file if a number is beyond this one." onValue=${(value: string) => onStated(withParameter(stated, 'maxNumber', value.trim()))} />`}
        ${status && html`<${Statuses} ...${props} shown=${shown} column=${status} />`}
      </div>`}`;
}

interface PartProps extends ReadingProps {
  readonly shown: Parameters;
}

const ENCODINGS = ['utf-8', 'windows-1252', 'iso-8859-1', 'iso-8859-15', 'utf-16'];
const SEPARATORS = [[',', 'comma'], [';', 'semicolon'], ['\t', 'tab']] as const;

/** The fields for the encoding, the separator, and the first and last line of the list. */
function Structure({inspection, stated, onStated, wrong}: ReadingProps) {
  const set = (parameter: string) => (value: string) => onStated(withParameter(stated, parameter, value));
  const value = (parameter: string, found: unknown) => String(stated[parameter] ?? found ?? '');
  const separator = inspection?.separator;
  return html`
    <div class="bar">
      <${Field} label="Encoding" as="select" error=${wrong['encoding']} value=${value('encoding', inspection?.encoding)} onValue=${set('encoding')}
        options=${[...(inspection ? [] : [['', 'as found']]), ...ENCODINGS]} />
      <${Field} label="Separator" as="select" error=${wrong['separator']} value=${value('separator', separator)} onValue=${set('separator')}
        options=${[...(inspection ? [] : [['', 'as found']]), ...SEPARATORS]} />
      <${Field} label="Line of the header" type="number" min="1" max="1000" error=${wrong['headerLine']} value=${value('headerLine', inspection?.headerLine ?? 1)} onValue=${set('headerLine')} />
      <${Field} label="Ends before" error=${wrong['until']} value=${value('until', '')} onValue=${set('until')} placeholder="such as Total" />
    </div>`;
}

const LOOKS: Readonly<Record<string, string>> = {
  texts: 'texts of the sequence', dates: 'dates', 'ambiguous-dates': 'dates, day or month first', numbers: 'numbers', statuses: 'statuses', keys: 'keys', empty: 'empty', other: 'other',
};

function Columns({inspection, stated, onStated, roles, shown}: PartProps) {
  const columns = inspection!.columns;
  const names = columns.map(({name}) => name);
  const used = new Map(roles.map(([role]) => [columnOf(role, shown, names), ROLES[role]]));
  const ignored = shown.ignore ?? [];
  const cells: Column<FileColumn>[] = [
    {title: 'Column', cell: ({name}) => name},
    {title: 'Looks like', cell: ({looksLike}) => looksLike === 'ambiguous-dates' ? html`<${Chip} kind="warn">${LOOKS[looksLike]}<//>` : LOOKS[looksLike] ?? looksLike},
    {title: 'Example', cell: ({firstCell}) => firstCell},
    {title: 'Empty', kind: 'number', cell: ({empty}) => amount(empty)},
    {title: 'Use', cell: ({name}) => used.has(name) ? html`<${Chip} kind="good">${used.get(name)}<//>` : html`<label class="pick"><input type="checkbox" checked=${ignored.some(each => isCalled(each, name))}
      onChange=${(e: Event) => onStated(withIgnored({...stated, ignore: ignored}, name, (e.currentTarget as HTMLInputElement).checked))} /> Ignore<span class="unseen"> ${name}</span></label>`},
  ];
  return html`<${Table} caption="Columns of the file" columns=${cells} rows=${columns} keyOf=${({name}: FileColumn) => `${names.indexOf(name)} ${name}`} />`;
}

interface NotationProps extends PartProps {
  readonly parameter: string;
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
}

function Notation({stated, onStated, wrong, shown, parameter, label, options}: NotationProps) {
  return html`<${Field} label=${label} as="select" error=${wrong[parameter]} value=${String(shown[parameter] ?? '')} options=${options}
    onValue=${(value: string) => onStated(withParameter(stated, parameter, value))} />`;
}

const OTHER = 'other';

/** The notation of the dates, which stays open while the cells have more than one reading. */
function DateNotation({column, shown, stated, onStated, wrong}: PartProps & {column: FileColumn | undefined}) {
  const formats = notationsOf(column);
  const value = String(shown['dateFormat'] ?? '');
  const [isOther, setOther] = useState(value !== '' && !formats.includes(value));
  const set = (format: string) => {
    setOther(format === OTHER);
    onStated(withParameter(withParameter(stated, 'century', ''), 'dateFormat', format === OTHER ? '' : format));
  };
  const said = (format: string) => {
    const read = readAs(column?.firstCell ?? '', format);
    return read ? `${format}: ${column!.firstCell} is ${read}` : format;
  };
  return html`
    <${Field} label="Notation of the dates" as="select" error=${wrong['dateFormat']} value=${isOther ? OTHER : value} onValue=${set} hint=${value && !isOther ? said(value) : ''}
      options=${[['', isNotationOpen(column) ? 'choose …' : 'as 2026-11-21'], ...formats.map(format => [format, said(format)]), [OTHER, 'another one …']]} />
    ${isOther && html`<${Field} label="Other notation" value=${value} onValue=${(format: string) => onStated(withParameter(stated, 'dateFormat', format))}
      placeholder="dd.MM.yyyy" hint="yyyy or yy, MM or M, dd or d" />`}
    ${/y/.test(value) && !value.includes('yyyy') && html`<${Field} label="First year of the century" type="number" min="1" max="9999" error=${wrong['century']}
      value=${String(shown['century'] ?? '')} onValue=${(century: string) => onStated(withParameter(stated, 'century', century))} placeholder="1950" />`}`;
}

/** The most words that get a field each. More are entered as a list. */
const MAX_WORDS = 8;

function Statuses({shown, stated, onStated, wrong, wordsOf, column}: PartProps & {column: string}) {
  const map = String(shown['statusMap'] ?? '');
  const pairs = pairsOf(map);
  const words = wordsOf(column).filter(word => !(word.toLowerCase() in STATUS_NAMES)).slice(0, MAX_WORDS);
  const set = (word: string) => (status: string) => onStated(withParameter(stated, 'statusMap', statusMapOf(new Map(pairs).set(word, status))));
  return html`
    ${words.map(word => html`<${Field} key=${word} label=${`“${word}” means`} as="select" value=${pairs.get(word) ?? ''} onValue=${set(word)}
      options=${[['', 'choose …'], ...Object.entries(STATUS_NAMES)]} />`)}
    <${Field} label="Words of the status" error=${wrong['statusMap']} value=${map} placeholder="ja=void,nein=issued"
      onValue=${(text: string) => onStated(withParameter(stated, 'statusMap', text))} />
    <${Field} label="Reason of voided rows" error=${wrong['reason']} value=${String(shown['reason'] ?? '')} maxlength="200" hint="For rows without one."
      onValue=${(reason: string) => onStated(withParameter(stated, 'reason', reason))} />`;
}

type SampleRow = NonNullable<Inspection['samples']>[number];

const SAMPLE: Column<SampleRow>[] = [
  {title: LINE, kind: 'line', cell: ({line}) => line},
  {title: KEY, cell: ({key}) => key},
  {title: NUMBER, cell: ({text, number}) => text ?? String(number)},
  {title: DATE, cell: ({date}) => day(date)},
  {title: STATUS, cell: ({status, reason}) => html`<${StatusChip} status=${status} /> ${reason}`},
];

/** The end of a list whose first items are shown. */
function rest(count: number, shown: number): string {
  return count > shown ? ` and ${amount(count - shown, 'other')}` : '';
}

/** The first rows as an import would store them, and the rows that it would refuse. */
export function Stored({inspection}: {inspection: Inspection}) {
  const {samples = [], refused, repeated, gaps} = inspection;
  return html`
    ${samples.length > 0 && html`<h3>As they would be stored</h3>
      <${Table} caption="Sample rows" columns=${SAMPLE} rows=${samples} keyOf=${({line}: SampleRow) => String(line)} />`}
    <${Facts} facts=${[
      [ROWS, amount(inspection.rows)],
      ...(refused && refused.count > 0 ? [['Would be refused', amount(refused.count)]] : []),
      ...(repeated && repeated.equal > 0 ? [['Repeat an earlier row', amount(repeated.equal)]] : []),
      ...(repeated && repeated.contradicting > 0 ? [['Contradict another row', `${amount(repeated.contradicting)}: ${repeated.first.filter(({kind, line, otherLine}) => kind !== 'equal' && line < otherLine).map(({line, otherLine}) => `line ${line} and line ${otherLine}`).join(', ')}`]] : []),
      ...(gaps && gaps.count > 0 ? [[NUMBERS_IN_NO_ROW, gaps.first.map(gapName).join(', ') + rest(gaps.count, gaps.first.length)]] : []),
    ]} />
    ${refused && refused.count > 0 && html`<h3>Rows that would be refused</h3>
      <ul class="reasons">${refused.first.map(({line, detail}) => html`<li>Line ${line}: ${detail}</li>`)}</ul>
      ${refused.count > refused.first.length && html`<p class="hint">${amount(refused.count - refused.first.length)} more. A check lists them all.</p>`}`}`;
}
