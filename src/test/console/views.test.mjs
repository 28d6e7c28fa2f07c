// How every view looks, which takes longer than its use. ConsoleIT runs it with the long tests.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/first-visit.mjs';
import './scenes/views.mjs';

after(() => browser.close());
