import {html, useState} from '../html.ts';
import {Field} from '../parts.ts';
import {useRequest} from '../requests.ts';
import {SCOPE, SHOW} from '../terms.ts';

/** The scopes that the user's rights open. */
export interface Scopes {
  readonly isAll: boolean;
  readonly named: readonly string[];
  /** The starts of further scopes, such as `eu-`. */
  readonly starts: readonly string[];
}

/** Returns the scopes of a right, such as `Read`, in a list such as `Numera.Read:Shop1 Numera.Read:eu-*`. */
export function scopesOf(rights: readonly string[], right: string): Scopes {
  const scopes = rights.filter(each => each.startsWith(`Numera.${right}:`)).map(each => each.slice(each.indexOf(':') + 1));
  return {
    isAll: rights.some(each => each === 'all' || each === `Numera.${right}`),
    named: scopes.filter(scope => !scope.endsWith('*')),
    starts: scopes.filter(scope => scope.endsWith('*')).map(scope => scope.slice(0, -1)),
  };
}

/** Loads the scopes of a right; undefined while they are unknown. */
export function useScopes(right: string): Scopes | undefined {
  const {value} = useRequest<{rights: readonly string[]}>({call: 'Me'});
  return value && scopesOf(value.rights, right);
}

/** Names the scopes for a hint; empty if the right has no limit. */
export function limitOf(scopes: Scopes | undefined): string {
  return !scopes || scopes.isAll ? '' : `Your rights open ${[...scopes.named, ...scopes.starts.map(start => `${start}…`)].join(', ') || 'no scope'}.`;
}

interface ChoiceProps {
  readonly right: string;
  readonly hrefOf: (scope: string) => string;
}

/** Offers the scopes of the user's rights, for a list that would otherwise be refused. */
export function ScopeChoice({right, hrefOf}: ChoiceProps) {
  const scopes = useScopes(right);
  const [typed, setTyped] = useState('');
  const show = (e: Event) => {
    e.preventDefault();
    location.hash = hrefOf(typed.trim());
  };
  return scopes && !scopes.isAll && html`
    <section class="card" aria-label="Choose a scope">
      <h2>Choose a scope</h2>
      <p>${scopes.named.length + scopes.starts.length > 0 ? limitOf(scopes) : 'Your rights open no scope. Contact whoever grants your rights.'}</p>
      ${scopes.named.length > 0 && html`<p class="actions">${scopes.named.map(scope => html`<a key=${scope} class="button" href=${hrefOf(scope)}>${scope}</a>`)}</p>`}
      ${scopes.starts.length > 0 && html`<form class="lookup" onSubmit=${show}>
        <${Field} label=${SCOPE} value=${typed} onValue=${setTyped} required maxlength="63" autocomplete="off" spellcheck=${false} placeholder=${`${scopes.starts[0]}…`} />
        <button type="submit" class="primary">${SHOW}</button></form>`}
    </section>`;
}

/** Names the only scope of a list, with a link to the list of all scopes. */
export function OnlyScope({scope, verb, all}: {scope: string; verb: string; all: string}) {
  return html`<p>Only the scope <strong>${scope}</strong>. <a href=${all}>${verb} all scopes</a></p>`;
}
