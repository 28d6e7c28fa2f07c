// Loads a source of the console and its imports as a Node module.
import {fileURLToPath} from 'node:url';
import {build} from '../../../../console/node_modules/esbuild/lib/main.js';

const SOURCES = fileURLToPath(new URL('../../../../console/src/', import.meta.url));
// The globals that the sources read while they load.
globalThis.location = {origin: 'http://console', pathname: '/api/console', hash: ''};
globalThis.sessionStorage = {getItem: () => null, setItem() {}, removeItem() {}};

export async function bundled(name) {
  const {outputFiles: [{text}]} = await build({entryPoints: [SOURCES + name], bundle: true, write: false, format: 'esm', loader: {'.css': 'empty'}, logLevel: 'error'});
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}
