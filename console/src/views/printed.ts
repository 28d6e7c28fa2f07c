import {html, useEffect, useState} from '../html.ts';
import {access} from '../access.ts';
import {useStore} from '../store.ts';
import {moment} from '../words.ts';

/** The origin of a printed page: its subject, the service, the time of printing and the user. */
export function Printed({of}: {of: string}) {
  const {actor} = useStore(access);
  const [printedAt, setPrintedAt] = useState(() => new Date().toISOString());
  useEffect(() => {
    const follow = () => setPrintedAt(new Date().toISOString());
    addEventListener('beforeprint', follow);
    return () => removeEventListener('beforeprint', follow);
  }, []);
  return html`<p class="print-only">${of} · ${location.host} · printed on ${moment(printedAt)}${actor && ` by ${actor}`}</p>`;
}
