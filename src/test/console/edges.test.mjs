// Drafts, failures and the rarer states of a sequence in the console. ConsoleIT runs it with the long tests.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/first-visit.mjs';
import './scenes/drafts.mjs';
import './scenes/standing.mjs';
import './scenes/trouble.mjs';

after(() => browser.close());
