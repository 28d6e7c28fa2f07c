import type {Call} from './calls.ts';

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
  /** The path of the view in the navigation that contains this one. */
  readonly under?: string;
  /** The call that the view depends on. The view is hidden from keys that do not open it. */
  readonly needs?: Call;
  /** Whether the view is only for sequences with a ledger. */
  readonly ledger?: boolean;
  readonly component: (props: ViewProps) => unknown;
}
