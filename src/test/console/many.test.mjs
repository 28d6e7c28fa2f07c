// The console before more than a page can hold, which takes longer to make than to look at. ConsoleIT runs it with the long tests.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/long-ledger.mjs';
import './scenes/many.mjs';

after(() => browser.close());
