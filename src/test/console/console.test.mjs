// The console in a browser, as people use it. ConsoleIT runs it, and tells where the app and its storage are.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/first-visit.mjs';
import './scenes/sequences.mjs';
import './scenes/month-end.mjs';
import './scenes/who.mjs';
import './scenes/definition.mjs';
import './scenes/uploads.mjs';
import './scenes/lifecycle.mjs';
import './scenes/poison.mjs';
import './scenes/trouble.mjs';

after(() => browser.close());
