// Parses each .bicep file named on the command line and prints what the grammar cannot read, as file:line:column.
// It checks syntax, not types. Exits with 1 when it printed anything.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Language, Parser } from 'web-tree-sitter';

const grammar = createRequire(import.meta.url).resolve('tree-sitter-bicep/tree-sitter-bicep.wasm');

await Parser.init();
const parser = new Parser().setLanguage(await Language.load(grammar));

function* damaged(node) {
  if (node.type === 'ERROR' || node.isMissing) yield node;
  else if (node.hasError) for (const child of node.children) yield* damaged(child);
}

for (const file of process.argv.slice(2)) {
  for (const { startPosition: { row, column }, text } of damaged(parser.parse(fs.readFileSync(file, 'utf8')).rootNode)) {
    console.log(`${file}:${row + 1}:${column + 1}: syntax error at "${text.split('\n')[0]}"`);
    process.exitCode = 1;
  }
}
