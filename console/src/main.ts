import 'uplot/dist/uPlot.min.css';
import './console.css';
import {html, render} from './html.ts';
import {App} from './app.ts';

render(html`<${App} />`, document.body);
