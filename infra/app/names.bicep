metadata description = 'Names that several files use. Those of tables and queues are a public contract, docs/tables.md; AgreementTest compares them with the code.'

@export()
@description('Tables of the ledger and of uploads.')
var tableNames = [
  'numerasequences'
  'numeracounters'
  'numerabatches'
]

@export()
@description('Queues of batches and of their results.')
var queueNames = [
  'numbering-requests'
  'numbering-requests-poison'
  'numbering-results'
]

@export()
@description('Container of the backups.')
var backupContainer = 'numera-backups'
