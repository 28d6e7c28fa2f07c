// Checks the look of every view, which takes longer than the use of the console. ConsoleIT runs it with the long tests.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/first-visit.mjs';
import './scenes/views.mjs';

after(() => browser.close());
