// Validates the host.json named on the command line against the published schema, and prints what does not fit.
// Exits with 1 when it printed anything.
import Ajv from 'ajv-draft-04';
import fs from 'node:fs';

const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const schema = read(new URL('host.schema.json', import.meta.url));
const host = read(process.argv[2]);

// The host knows telemetryMode; the schema does not yet.
if (['OpenTelemetry', 'ApplicationInsights'].includes(host.telemetryMode)) delete host.telemetryMode;

// Its oneOf (versions 1 and 2) would only say that neither fits: validate by version 2, which says what does not.
const fits = new Ajv({ allErrors: true, strict: false }).addSchema(schema, 'host').getSchema('host#/definitions/version-2');
if (!fits(host)) {
  for (const { instancePath, message, params } of fits.errors) {
    console.log(`${instancePath || '/'}: ${message} ${JSON.stringify(params)}`);
  }
  process.exitCode = 1;
}
