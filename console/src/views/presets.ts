import {html} from '../html.ts';
import {href} from '../router.ts';

/** A starting point for a new sequence. */
export interface Preset {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

export const PRESETS: readonly Preset[] = [
  {id: 'invoice', label: 'Invoices', name: 'invoice',
    about: 'No gaps: every number is in the ledger under its key. Restarts each year.',
    fields: {guarantee: 'gapless', format: 'INV-{yyyy}-{n:6}', resetEvery: 'year', description: 'Invoices'}},
  {id: 'order', label: 'Orders', name: 'order',
    about: 'In order across all instances, with a check digit that detects typing errors.',
    fields: {guarantee: 'strict', format: 'O-{n:7}{check:luhn}', description: 'Orders'}},
  {id: 'ticket', label: 'Tickets', name: 'ticket',
    about: 'Plain numbers from 1, one after the other.',
    fields: {guarantee: 'strict', description: 'Tickets'}},
  {id: 'row', label: 'Rows in bulk', name: 'row',
    about: 'Fast: each instance reserves a block of 100. Unused numbers are skipped.',
    fields: {guarantee: 'cached', description: 'Ids of rows'}},
];

/** Links to the presets. A preset keeps the scope and the name that the user entered. */
export function Presets({scope = '', name = ''}: {scope?: string; name?: string}) {
  return html`<ul class="presets">${PRESETS.map(preset => html`
    <li key=${preset.id}><a href=${href('/new', {scope, name, for: preset.id})}><strong>${preset.label}</strong><span>${preset.about}</span></a></li>`)}
  </ul>`;
}
