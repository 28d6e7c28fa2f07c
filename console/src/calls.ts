/** The calls of the console, by the names of their functions. A function key opens a function by its name. */
export const CALLS = {
  ListSequences: 'GET /sequences',
  Me: 'GET /me',
  ListAttention: 'GET /attention',
  Find: 'GET /find',
  GetDefinition: 'GET /sequences/{scope}/{name}',
  PutDefinition: 'PUT /sequences/{scope}/{name}',
  PatchDefinition: 'PATCH /sequences/{scope}/{name}',
  Retire: 'DELETE /sequences/{scope}/{name}',
  ReadState: 'GET /sequences/{scope}/{name}/state',
  ListPeriods: 'GET /sequences/{scope}/{name}/periods',
  ListChanges: 'GET /sequences/{scope}/{name}/changes',
  ReadLedger: 'GET /sequences/{scope}/{name}/ledger',
  CheckLedger: 'GET /sequences/{scope}/{name}/check',
  CloseDates: 'POST /sequences/{scope}/{name}/closings',
  ListClosings: 'GET /sequences/{scope}/{name}/closings',
  Allocate: 'POST /sequences/{scope}/{name}/next',
  ChangeStatus: 'POST /sequences/{scope}/{name}/status',
  ParseText: 'POST /sequences/{scope}/{name}/parse',
  Preview: 'POST /sequences/{scope}/{name}/preview',
  Advance: 'POST /sequences/{scope}/{name}/advance',
  AcceptGap: 'POST /sequences/{scope}/{name}/gaps',
  Suspend: 'POST /sequences/{scope}/{name}/suspend',
  Resume: 'POST /sequences/{scope}/{name}/resume',
  UploadBatch: 'POST /sequences/{scope}/{name}/batches',
  ListBatches: 'GET /sequences/{scope}/{name}/batches',
  ReadBatch: 'GET /sequences/{scope}/{name}/batches/{id}',
  ImportNumbers: 'POST /sequences/{scope}/{name}/imports',
  InspectImport: 'POST /sequences/{scope}/{name}/imports/inspect',
  ListImports: 'GET /sequences/{scope}/{name}/imports',
  ReadImport: 'GET /sequences/{scope}/{name}/imports/{id}',
  ListPoison: 'GET /poison',
  RequeuePoison: 'POST /poison/{id}/requeue',
  DropPoison: 'DELETE /poison/{id}',
} as const;

export type Call = keyof typeof CALLS;

/** A description of each call that completes "this key may not …". */
export const DOES: Readonly<Record<Call, string>> = {
  ListSequences: 'list sequences',
  Me: 'show its rights',
  ListAttention: 'list what needs attention',
  Find: 'search all sequences',
  GetDefinition: 'read definitions',
  PutDefinition: 'create or revive sequences',
  PatchDefinition: 'change definitions',
  Retire: 'retire sequences',
  ReadState: 'read the state of sequences',
  ListPeriods: 'list periods',
  ListChanges: 'list changes',
  ReadLedger: 'read the ledger',
  CheckLedger: 'check the ledger',
  CloseDates: 'record results of checks',
  ListClosings: 'list recorded results',
  Allocate: 'allocate numbers',
  ChangeStatus: 'confirm or void numbers',
  ParseText: 'look up texts',
  Preview: 'preview numbers',
  Advance: 'advance sequences',
  AcceptGap: 'accept gaps',
  Suspend: 'suspend sequences',
  Resume: 'resume sequences',
  UploadBatch: 'upload lists',
  ListBatches: 'list uploads',
  ReadBatch: 'read uploads',
  ImportNumbers: 'import numbers',
  InspectImport: 'inspect files',
  ListImports: 'list imports',
  ReadImport: 'read imports',
  ListPoison: 'list failed messages',
  RequeuePoison: 'put messages back',
  DropPoison: 'delete messages',
};

/** The calls that record the name of the user. */
export const SIGNED: ReadonlySet<Call> = new Set<Call>([
  'PutDefinition', 'PatchDefinition', 'Retire', 'Allocate', 'ChangeStatus', 'Advance', 'AcceptGap', 'Suspend', 'Resume', 'UploadBatch', 'ImportNumbers', 'CloseDates',
]);

/** Whether a call changes something. */
export function changes(call: Call): boolean {
  return !READING.has(call) && !CALLS[call].startsWith('GET');
}

/** The calls that change nothing although their method is not GET. */
export const READING: ReadonlySet<Call> = new Set<Call>(['Preview', 'ParseText', 'InspectImport']);
