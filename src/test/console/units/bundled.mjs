// A source of the console as a module of Node, with what it imports.
import {fileURLToPath} from 'node:url';
import {build} from '../../../../console/node_modules/esbuild/lib/main.js';

const SOURCES = fileURLToPath(new URL('../../../../console/src/', import.meta.url));
// What the sources look for when they are loaded.
globalThis.location = {origin: 'http://console', pathname: '/api/console', hash: ''};
globalThis.sessionStorage = {getItem: () => null};

export async function bundled(name) {
  const {outputFiles: [{text}]} = await build({entryPoints: [SOURCES + name], bundle: true, write: false, format: 'esm', loader: {'.css': 'empty'}, logLevel: 'error'});
  return import(`data:text/javascript,${encodeURIComponent(text)}`);
}
