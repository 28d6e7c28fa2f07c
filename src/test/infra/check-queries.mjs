// Parses every log query in the files on the command line (alerts, workbook, pages) with the Kusto parser and the columns of Log
// Analytics that the queries use. Prints all mistakes and exits with 1 if it finds any. Runs no query.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('@kusto/language-service-next/bridge.min.js');
require('@kusto/language-service-next/Kusto.Language.Bridge.min.js');

const { KustoCode, GlobalState, Symbols } = globalThis.Kusto.Language;

const TABLES = {
  AppRequests: '(TimeGenerated: datetime, Name: string, ResultCode: string, Success: bool, DurationMs: real, ItemCount: int)',
  AppTraces: '(TimeGenerated: datetime, Message: string, SeverityLevel: int, ItemCount: int)',
  AppMetrics: '(TimeGenerated: datetime, Name: string, Sum: real, Max: real, ItemCount: int, Properties: dynamic)',
};
const tables = Object.entries(TABLES).map(([name, columns]) => Symbols.TableSymbol.From(columns).WithName(name));
const workspace = GlobalState.Default.WithDatabase(new Symbols.DatabaseSymbol.$ctor1('workspace', tables));

function* queries(file) {
  const text = fs.readFileSync(file, 'utf8');
  if (file.endsWith('.md')) {
    for (const [, query] of text.matchAll(/```kusto\n([^]*?)```/g)) yield query;
  } else {
    const json = JSON.parse(text);
    const items = Array.isArray(json) ? json : json.items.map((item) => item.content);
    // The workbook itself inserts the grain of its time range.
    for (const { query } of items) if (query) yield query.replaceAll('{TimeRange:grain}', '5m');
  }
}

for (const file of process.argv.slice(2)) {
  const found = [...queries(file)];
  if (!found.length) console.log(`${file} holds no query.`);
  for (const query of found) {
    const diagnostics = KustoCode.ParseAndAnalyze(query, workspace).GetDiagnostics();
    for (let i = 0; i < diagnostics.Count; i++) console.log(`${file}: ${query}: ${diagnostics.getItem(i).Message}`);
    if (diagnostics.Count) process.exitCode = 1;
  }
}
