// Validates the host.json on the command line against the published schema. Prints all mistakes and exits with 1 if it finds any.
import Ajv from 'ajv-draft-04';
import fs from 'node:fs';

const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const schema = read(new URL('host.schema.json', import.meta.url));
const host = read(process.argv[2]);

// The host supports telemetryMode, which the schema still lacks.
if (['OpenTelemetry', 'ApplicationInsights'].includes(host.telemetryMode)) delete host.telemetryMode;

// Validates against version 2 directly, because the schema's oneOf (versions 1 and 2) would only report that neither fits.
const fits = new Ajv({ allErrors: true, strict: false }).addSchema(schema, 'host').getSchema('host#/definitions/version-2');
if (!fits(host)) {
  for (const { instancePath, message, params } of fits.errors) {
    console.log(`${instancePath || '/'}: ${message} ${JSON.stringify(params)}`);
  }
  process.exitCode = 1;
}
