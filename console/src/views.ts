import type {Call} from './calls.ts';
import {find} from './views/find.ts';
import {ledger} from './views/ledger.ts';
import {definition} from './views/definition.ts';
import {changes} from './views/changes.ts';
import {create} from './views/create.ts';
import {lifecycle} from './views/lifecycle.ts';
import {poison} from './views/poison.ts';
import {sequence} from './views/sequence.ts';
import {sequences} from './views/sequences.ts';
import {who} from './views/who.ts';
import {monthEnd} from './views/monthEnd.ts';
import {imported, upload, uploaded, uploads} from './views/lists.ts';

export interface ViewProps {
  /** The values of `:scope`, `:name` and so on in the address. */
  readonly params: Readonly<Record<string, string>>;
  /** The query of the address, which contains the state that a shared link restores. */
  readonly query: URLSearchParams;
}

/** A part of the console with its own address. */
export interface View {
  /** The path, such as `/sequences/:scope/:name/check`. */
  readonly path: string;
  /** The name in the navigation and in the window's title. */
  readonly label: string;
  /** The navigation that contains the view: the page's, each sequence's, or none. */
  readonly place: 'page' | 'sequence' | 'none';
  /** The call that the view depends on. The view is hidden from keys that do not open it. */
  readonly needs?: Call;
  /** Whether the view is only for sequences with a ledger. */
  readonly ledger?: boolean;
  readonly component: (props: ViewProps) => unknown;
}

/** All views, in the order of the navigation. A new view is a file in views/ and a line here. */
export const VIEWS: readonly View[] = [
  sequences,
  find,
  create,
  sequence,
  definition,
  who,
  ledger,
  monthEnd,
  upload,
  uploads,
  uploaded,
  imported,
  changes,
  lifecycle,
  poison,
];
