/** The calls of the console, by the names of the functions that keys open. */
export const CALLS = {
  ListSequences: 'GET /sequences',
  GetDefinition: 'GET /sequences/{scope}/{name}',
  PutDefinition: 'PUT /sequences/{scope}/{name}',
  PatchDefinition: 'PATCH /sequences/{scope}/{name}',
  Retire: 'DELETE /sequences/{scope}/{name}',
  ReadState: 'GET /sequences/{scope}/{name}/state',
  ListPeriods: 'GET /sequences/{scope}/{name}/periods',
  ListChanges: 'GET /sequences/{scope}/{name}/changes',
  ReadLedger: 'GET /sequences/{scope}/{name}/ledger',
  CheckLedger: 'GET /sequences/{scope}/{name}/check',
  Allocate: 'POST /sequences/{scope}/{name}/next',
  ChangeStatus: 'POST /sequences/{scope}/{name}/status',
  ParseText: 'POST /sequences/{scope}/{name}/parse',
  Preview: 'POST /sequences/{scope}/{name}/preview',
  Advance: 'POST /sequences/{scope}/{name}/advance',
  UploadBatch: 'POST /sequences/{scope}/{name}/batches',
  ReadBatch: 'GET /sequences/{scope}/{name}/batches/{id}',
  ImportNumbers: 'POST /sequences/{scope}/{name}/imports',
  ReadImport: 'GET /sequences/{scope}/{name}/imports/{id}',
  ListPoison: 'GET /poison',
  RequeuePoison: 'POST /poison/{id}/requeue',
  DropPoison: 'DELETE /poison/{id}',
} as const;

export type Call = keyof typeof CALLS;

/** The calls that keep who made them. */
export const SIGNED: ReadonlySet<Call> = new Set<Call>([
  'PutDefinition', 'PatchDefinition', 'Retire', 'ChangeStatus', 'Advance', 'ImportNumbers',
]);
