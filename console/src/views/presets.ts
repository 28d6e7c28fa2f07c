import {html} from '../html.ts';
import {href} from '../router.ts';

/** What people begin a sequence with. */
export interface Preset {
  readonly id: string;
  readonly label: string;
  readonly about: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

export const PRESETS: readonly Preset[] = [
  {id: 'invoice', label: 'Invoices', name: 'invoice',
    about: 'No gaps: every number stands in a ledger under its key, and begins anew each year.',
    fields: {guarantee: 'gapless', format: 'INV-{yyyy}-{n:6}', resetEvery: 'year', description: 'Invoices'}},
  {id: 'order', label: 'Orders', name: 'order',
    about: 'In order over all instances, with a check digit that finds a mistyped one.',
    fields: {guarantee: 'strict', format: 'O-{n:7}{check:luhn}', description: 'Orders'}},
  {id: 'ticket', label: 'Tickets', name: 'ticket',
    about: 'Plain numbers from 1 on, one after the other.',
    fields: {guarantee: 'strict', description: 'Tickets'}},
  {id: 'row', label: 'Rows in bulk', name: 'row',
    about: 'Fast: each instance takes a block of a hundred; those left over are skipped.',
    fields: {guarantee: 'cached', description: 'Ids of rows'}},
];

/** Chosen, they leave a scope and a name as they are. */
export function Presets({scope = '', name = ''}: {scope?: string; name?: string}) {
  return html`<ul class="presets">${PRESETS.map(preset => html`
    <li key=${preset.id}><a href=${href('/new', {scope, name, for: preset.id})}><strong>${preset.label}</strong><span>${preset.about}</span></a></li>`)}
  </ul>`;
}
