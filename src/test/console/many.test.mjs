// Uses the console with more rows than a page holds, which take long to create. ConsoleIT runs it with the long tests.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/long-ledger.mjs';
import './scenes/many.mjs';

after(() => browser.close());
