// Uses the console behind a gateway, which sets the rights and the id of the user. ConsoleIT runs it with the setting Numera_Rights.
import { after } from 'node:test';
import { browser } from './browser.mjs';
import './scenes/rights.mjs';

after(() => browser.close());
