metadata description = 'What is in the account of the numbers: tables, queues and backups.'

import { backupContainer, queueNames, tableNames } from 'names.bicep'

@description('Account of the numbers.')
@minLength(3)
@maxLength(24)
param accountName string

@description('Workspace that the log of the account is written to.')
param workspaceId string

@description('What is written there: nothing, what was deleted in tables and blobs, or every request.')
@allowed([
  'none'
  'deletes'
  'all'
])
param logs string

@description('Keeps the account from being deleted.')
param deleteLock bool

@description('Days that a deleted blob can be restored.')
@minValue(1)
@maxValue(365)
param blobRetentionInDays int = 7

@description('Days that a backup is kept; then the account itself deletes it.')
@minValue(1)
@maxValue(3650)
param backupRetentionInDays int

@description('Days in which a backup cannot be changed or deleted: not even by an owner of the account, once the policy is locked. 0: no such policy.')
@minValue(0)
@maxValue(3650)
param backupImmutableInDays int

resource account 'Microsoft.Storage/storageAccounts@2026-06-01' existing = {
  name: accountName
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2026-06-01' = {
  parent: account
  name: 'default'
  properties: {
    deleteRetentionPolicy: { enabled: true, days: blobRetentionInDays }
    containerDeleteRetentionPolicy: { enabled: true, days: blobRetentionInDays }
  }
}

resource backups 'Microsoft.Storage/storageAccounts/blobServices/containers@2026-06-01' = {
  parent: blobs
  name: backupContainer
  properties: { publicAccess: 'None' }
}

// The policy is created unlocked, so that you can try it. Until you lock it (docs/operations.md), an owner of the account can remove it.
resource backupImmutability 'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies@2026-06-01' = if (backupImmutableInDays > 0) {
  parent: backups
  name: 'default'
  properties: {
    immutabilityPeriodSinceCreationInDays: max(backupImmutableInDays, 1)
    allowProtectedAppendWrites: false
  }
}

// Backups that the policy above still protects are deleted later.
resource backupRetention 'Microsoft.Storage/storageAccounts/managementPolicies@2026-06-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'delete-old-backups'
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: {
              blobTypes: ['blockBlob']
              prefixMatch: ['${backupContainer}/']
            }
            actions: {
              baseBlob: {
                delete: { daysAfterModificationGreaterThan: backupRetentionInDays }
              }
            }
          }
        }
      ]
    }
  }
}

resource tableService 'Microsoft.Storage/storageAccounts/tableServices@2026-06-01' = {
  parent: account
  name: 'default'
}

resource tables 'Microsoft.Storage/storageAccounts/tableServices/tables@2026-06-01' = [
  for name in tableNames: {
    parent: tableService
    name: name
  }
]

resource queueService 'Microsoft.Storage/storageAccounts/queueServices@2026-06-01' = {
  parent: account
  name: 'default'
}

resource queues 'Microsoft.Storage/storageAccounts/queueServices/queues@2026-06-01' = [
  for name in queueNames: {
    parent: queueService
    name: name
  }
]

// The lock protects only the account itself. Rows, messages and blobs can still be changed and deleted.
resource lock 'Microsoft.Authorization/locks@2020-05-01' = if (deleteLock) {
  scope: account
  name: 'keep-the-numbers'
  properties: {
    level: 'CanNotDelete'
    notes: 'This account holds every number that was handed out. docs/operations.md says how to take the lock off.'
  }
}

// A queue message is deleted after each success, so the log contains such deletions only if it contains all requests.
var everyRequest = ['StorageRead', 'StorageWrite', 'StorageDelete']
var tableAndBlobLogs = logs == 'all' ? everyRequest : ['StorageDelete']

resource tableLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = if (logs != 'none') {
  scope: tableService
  name: 'log'
  properties: {
    workspaceId: workspaceId
    logs: [
      for category in tableAndBlobLogs: {
        category: category
        enabled: true
      }
    ]
  }
}

resource blobLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = if (logs != 'none') {
  scope: blobs
  name: 'log'
  properties: {
    workspaceId: workspaceId
    logs: [
      for category in tableAndBlobLogs: {
        category: category
        enabled: true
      }
    ]
  }
}

resource queueLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = if (logs == 'all') {
  scope: queueService
  name: 'log'
  properties: {
    workspaceId: workspaceId
    logs: [
      for category in everyRequest: {
        category: category
        enabled: true
      }
    ]
  }
}
