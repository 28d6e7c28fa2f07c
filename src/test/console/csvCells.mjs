// Prints the CSV cell that the console writes for each text in the given JSON file: {"text": "cell"}.
import {readFileSync} from 'node:fs';
import {transform} from '../../../console/node_modules/esbuild/lib/main.js';

const source = readFileSync(new URL('../../../console/src/csv.ts', import.meta.url), 'utf8');
const {code} = await transform(source, {loader: 'ts', format: 'esm'});
const {harmless} = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const texts = Object.keys(JSON.parse(readFileSync(process.argv[2], 'utf8')));
console.log(JSON.stringify(Object.fromEntries(texts.map(text => [text, harmless(text)]))));
