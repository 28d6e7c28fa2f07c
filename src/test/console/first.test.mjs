// What people see first in the console: the scenes that ConsoleIT plays in every build. The long tests play them all.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/first-visit.mjs';
import './scenes/sequences.mjs';
import './scenes/who.mjs';

after(() => browser.close());
