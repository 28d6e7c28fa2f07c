import './console.css';
import './views/books.css';
import {html, render} from './html.ts';
import {App} from './app.ts';

render(html`<${App} />`, document.body);
