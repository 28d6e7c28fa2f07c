// The scenes of the console that everyday.test.mjs leaves out. ConsoleIT plays them with the long tests.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/closings.mjs';
import './scenes/definition.mjs';
import './scenes/drafts.mjs';
import './scenes/standing.mjs';
import './scenes/uploads.mjs';
import './scenes/poison.mjs';
import './scenes/trouble.mjs';

after(() => browser.close());
