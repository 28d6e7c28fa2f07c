// Uses the console in a browser as people do. ConsoleIT runs it with the long tests, and passes the addresses of the app and its storage.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/first-visit.mjs';
import './scenes/sequences.mjs';
import './scenes/month-end.mjs';
import './scenes/closings.mjs';
import './scenes/find.mjs';
import './scenes/ledger.mjs';
import './scenes/who.mjs';
import './scenes/definition.mjs';
import './scenes/drafts.mjs';
import './scenes/standing.mjs';
import './scenes/uploads.mjs';
import './scenes/files.mjs';
import './scenes/lifecycle.mjs';
import './scenes/poison.mjs';
import './scenes/trouble.mjs';
import './scenes/untrue.mjs';
import './scenes/clerk.mjs';
import './scenes/scope-months.mjs';
import './scenes/attention.mjs';

after(() => browser.close());
