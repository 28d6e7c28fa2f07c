// Prints the CSV cells that the console writes for each text in the given JSON file: {"text": ["cell", "cell for a spreadsheet"]}.
import {readFileSync} from 'node:fs';
import {transform} from '../../../console/node_modules/esbuild/lib/main.js';

const source = readFileSync(new URL('../../../console/src/csv.ts', import.meta.url), 'utf8');
const {code} = await transform(source, {loader: 'ts', format: 'esm', charset: 'utf8'});
const {harmless, preserved} = await import(`data:text/javascript;charset=utf-8,${encodeURIComponent(code)}`);
const texts = Object.keys(JSON.parse(readFileSync(process.argv[2], 'utf8')));
console.log(JSON.stringify(Object.fromEntries(texts.map(text => [text, [harmless(text), preserved(text)]]))));
