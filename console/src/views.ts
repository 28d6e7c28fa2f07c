import {CHANGES, DEFINITION, FAILED_MESSAGES, IMPORT, MONTH_END, NEW_SEQUENCE, SEARCH, SEQUENCES, UPLOADS, WHO_GOT_IT} from './terms.ts';
import type {View} from './view.ts';
import {Find} from './views/find.ts';
import {later} from './views/later.ts';
import {FOUND} from './views/searchBox.ts';
import {SequenceView} from './views/sequence.ts';
import {Sequences} from './views/sequences.ts';
import {Who} from './views/who.ts';

const OF = '/sequences/:scope/:name';
/** The views of uploads and imports share most of their code. */
const lists = () => import('./views/listViews.ts');

/** All views, in the order of the navigation. A new view is a file in views/ and a line here. Most visits need only the first ones. */
export const VIEWS: readonly View[] = [
  {path: '/', label: SEQUENCES, place: 'page', needs: 'ListSequences', component: Sequences},
  {path: FOUND, label: SEARCH, place: 'none', needs: 'Find', component: Find},
  {path: '/new', label: NEW_SEQUENCE, place: 'none', needs: 'PutDefinition', component: later(async () => (await import('./views/create.ts')).Create)},
  {path: '/months', label: MONTH_END, place: 'none', component: later(async () => (await import('./views/scopeMonths.ts')).ScopeMonths)},
  {path: OF, label: 'Overview', place: 'sequence', component: SequenceView},
  {path: `${OF}/definition`, label: DEFINITION, place: 'sequence', needs: 'GetDefinition', component: later(async () => (await import('./views/definition.ts')).DefinitionView)},
  {path: `${OF}/who`, label: WHO_GOT_IT, place: 'sequence', needs: 'ReadLedger', ledger: true, component: Who},
  {path: `${OF}/ledger`, label: 'Ledger', place: 'sequence', needs: 'ReadLedger', ledger: true, component: later(async () => (await import('./views/ledger.ts')).Ledger)},
  {path: `${OF}/check`, label: MONTH_END, place: 'sequence', needs: 'CheckLedger', ledger: true, component: later(async () => (await import('./views/monthEnd.ts')).MonthEnd)},
  {path: `${OF}/upload`, label: UPLOADS, place: 'sequence', needs: 'UploadBatch', ledger: true, component: later(async () => (await lists()).Upload)},
  {path: `${OF}/uploads`, label: UPLOADS, place: 'none', under: `${OF}/upload`, component: later(async () => (await lists()).Uploads)},
  {path: `${OF}/uploads/:id`, label: 'Upload', place: 'none', under: `${OF}/upload`, component: later(async () => (await lists()).Uploaded)},
  {path: `${OF}/imports/:id`, label: IMPORT, place: 'none', under: `${OF}/upload`, component: later(async () => (await lists()).Imported)},
  {path: `${OF}/changes`, label: CHANGES, place: 'sequence', needs: 'ListChanges', component: later(async () => (await import('./views/changes.ts')).Changes)},
  {path: `${OF}/lifecycle`, label: 'Lifecycle', place: 'sequence', needs: 'Retire', component: later(async () => (await import('./views/lifecycle.ts')).Lifecycle)},
  {path: '/poison', label: FAILED_MESSAGES, place: 'page', needs: 'ListPoison', component: later(async () => (await import('./views/poison.ts')).Poison)},
];
