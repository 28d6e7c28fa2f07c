import {html, useEffect, useErrorBoundary, useRef, useState} from './html.ts';
import {access, isSigningIn, enter, refused} from './access.ts';
import {isAccepted} from './api.ts';
import {nameProblem, scopeProblem} from './names.ts';
import {useFresh, useMay} from './requests.ts';
import {useAlike} from './views/alike.ts';
import {Banner} from './views/banner.ts';
import {SearchBox} from './views/searchBox.ts';
import {PoisonCount} from './views/poisonCount.ts';
import {hasLedger, useStanding} from './views/standing.ts';
import {Check, CurlMenu, Dialog, Field} from './parts.ts';
import {href, match, sequencePath, usePlace} from './router.ts';
import {useStore} from './store.ts';
import {ALL_SEQUENCES, CONTINUE, SEQUENCES, TRY_AGAIN, YOUR_NAME} from './terms.ts';
import type {View} from './view.ts';
import {VIEWS} from './views.ts';

/** The frame around every view: the navigation, the sign-in button, and the head of the current sequence. */
export function App() {
  const place = usePlace();
  const found = VIEWS.map(view => ({view, params: match(view.path, place.path)})).find(({params}) => params);
  const main = useRef<HTMLElement>(null);
  const [arrived, setArrived] = useState(place.path);
  useEffect(() => {
    if (arrived !== place.path) {
      setArrived(place.path);
      main.current?.focus();
      scrollTo(0, 0);
    }
  }, [place.path]);
  const {scope, name} = found?.params ?? {};
  const isPossible = !scopeProblem(scope ?? '') && !nameProblem(name ?? '');
  const title = [found && found.view.label, name && `${scope}/${name}`, 'Numera'].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return html`
    <a class="skip" href="#main" onClick=${(e: Event) => {
      e.preventDefault();
      main.current?.focus();
    }}>Skip to the content</a>
    <header class="page">
      <a class="logo" href="#/"><img src="console/icon.svg" alt="" width="24" height="24" />Numera</a>
      <nav aria-label="Console">${VIEWS.filter(view => view.place === 'page').map(view => html`<${Tab} view=${view} path=${view.path} here=${place.path} />`)}</nav>
      <${SearchBox} place=${place} />
      <${CurlMenu} />
      <${KeyButton} />
    </header>
    <main id="main" ref=${main} tabindex="-1">
      ${scope && name && isPossible && html`<${SequenceHead} key=${`${scope}/${name}`} scope=${scope} name=${name} here=${place.path} under=${found?.view.under} />`}
      ${found && isPossible ? html`<${Guarded} key=${place.path} view=${found.view} params=${found.params} query=${place.query} />` : html`<${Lost} />`}
    </main>
    <${KeyDialog} />`;
}

function Tab({view, path, here, under}: {view: View; path: string; here: string; under?: string | undefined}) {
  const isCurrent = path === here || view.path === under;
  return useMay(view.needs ?? 'ListSequences') || isCurrent
    ? html`<a href=${href(path)} aria-current=${isCurrent ? path === here ? 'page' : 'true' : undefined}>${view.label}${view.needs === 'ListPoison' && html`<${PoisonCount} />`}</a>` : null;
}

function SequenceHead({scope, name, here, under}: {scope: string; name: string; here: string; under: string | undefined}) {
  const standing = useStanding({scope, name});
  const stored = standing.definition.value;
  useFresh(standing.again);
  // Shows every tab while the definition is loading, because the kind of sequence is unknown.
  const own = VIEWS.filter(view => view.place === 'sequence' && (!view.ledger || !stored || hasLedger(scope, stored)));
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'});
  }, [here, own.length]);
  return html`
    <p class="crumbs"><a href="#/">${SEQUENCES}</a> / <a href=${href('/', {scope})}>${scope}</a></p>
    <h1>${name}</h1>
    ${standing.definition.problem?.type === 'unknown-sequence' ? html`<${Alike} scope=${scope} name=${name} />` : html`
      <nav class="tabs" ref=${tabs} aria-label=${`Sequence ${scope}/${name}`}>
        ${own.map(view => html`<${Tab} view=${view} path=${sequencePath(scope, name, view.path.split('/')[4])} here=${here} under=${under} />`)}
      </nav>`}
    <${Banner} path=${{scope, name}} standing=${standing} />`;
}

/** The sequences with a name similar to a missing one. */
function Alike({scope, name}: {scope: string; name: string}) {
  const alike = useAlike(scope, name);
  return alike.length > 0 && html`<p class="note" role="status">Did you mean ${alike.map((other, i) => html`${i > 0 && ' or '}<a href=${href(sequencePath(other.scope, other.name))}>${other.scope}/${other.name}</a>`)}?</p>`;
}

/** Contains the failure of a view, so that the rest of the page stays usable. */
function Guarded({view, params, query}: {view: View; params: Record<string, string>; query: URLSearchParams}) {
  const [error, reset] = useErrorBoundary(thrown => console.error(thrown));
  useStore(access);
  useStore(refused);
  if (error) {
    return html`<div class="problem" role="alert"><p class="title">This view failed</p><p>Try again, or reload the page. If it fails again, contact the operator with this text: ${String(error)}</p>
      <p class="actions"><button type="button" onClick=${reset}>${TRY_AGAIN}</button></p></div>`;
  }
  return html`<${view.component} params=${params} query=${query} />`;
}

function Lost() {
  return html`<div class="empty"><h1>Page not found</h1><p>No view has this address. <a href="#/">${ALL_SEQUENCES}</a></p></div>`;
}

function KeyButton() {
  const {key, actor} = useStore(access);
  const who = actor ? ` · ${actor}` : '';
  return html`<button type="button" class="key" onClick=${() => isSigningIn.set(true)}>${key ? `Signed in${who}` : `Sign in${who}`}</button>`;
}

function KeyDialog() {
  return useStore(isSigningIn) ? html`<${KeyForm} />` : null;
}

function KeyForm() {
  const now = access.get();
  const [key, setKey] = useState(now.key);
  const [actor, setActor] = useState(now.actor);
  const [kept, setKept] = useState(now.kept);
  const [wrong, setWrong] = useState('');
  const [busy, setBusy] = useState(false);
  const done = async (e: Event) => {
    e.preventDefault();
    const typed = key.trim();
    setBusy(true);
    const isWrong = !!typed && await isAccepted(typed) === false;
    setBusy(false);
    if (isWrong) {
      setWrong('The service does not know this key. Check that you copied all of it.');
      return;
    }
    enter({key: typed, actor: actor.trim(), kept});
    isSigningIn.set(false);
  };
  return html`
    <${Dialog} title="Sign in with a key" onClose=${() => isSigningIn.set(false)}>
      <form onSubmit=${done}>
        <p>Enter the key that your operator gave you, and your name for the records.</p>
        <${Field} label="Function key" type="password" value=${key} error=${wrong} autocomplete="off"
            onValue=${(text: string) => {
              setKey(text);
              setWrong('');
            }}
            hint="Or a token for your gateway. Sent to this address only, and kept in memory." />
        <${Field} label=${YOUR_NAME} value=${actor} onValue=${setActor} maxlength="100" autocomplete="name"
            hint="Recorded with the numbers that you allocate and with your changes; not verified." />
        <${Check} label="Remember both until this tab is closed" checked=${kept} onChecked=${setKept} />
        <p class="actions"><button type="submit" class="primary" disabled=${busy}>${CONTINUE}</button>
          ${now.key && html`<button type="button" onClick=${() => {
            enter({key: '', actor, kept});
            isSigningIn.set(false);
          }}>Sign out</button>`}</p>
      </form>
    <//>`;
}

