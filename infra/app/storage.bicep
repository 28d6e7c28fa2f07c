metadata description = 'The one storage account: tables, queues, and the container that the app is deployed from.'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Name of the account, unique in all of Azure.')
@minLength(3)
@maxLength(24)
param accountName string

@description('Redundancy of the account.')
@allowed([
  'Standard_LRS'
  'Standard_ZRS'
  'Standard_GRS'
  'Standard_GZRS'
])
param redundancy string

@description('Closes the public endpoints; private ones are made by network.bicep.')
param isPrivate bool

@description('Workspace that the queue service writes its log to.')
param workspaceId string

@description('Days that a deleted blob (a package, the function keys) can be brought back.')
@minValue(1)
@maxValue(365)
param blobRetentionInDays int = 7

// The names are a public contract, docs/tables.md; AgreementTest compares them with the code.
var tableNames = [
  'numerasequences'
  'numeracounters'
  'numerabatches'
]
var queueNames = [
  'numbering-requests'
  'numbering-requests-poison'
  'numbering-results'
]
var deploymentContainer = 'deployment'

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  // checkov:skip=CKV_AZURE_35:Without a virtual network the app has no fixed address to let in; privateNetwork closes it.
  // checkov:skip=CKV_AZURE_206:Redundancy is a parameter. Zones are the default: a failover to another region loses writes.
  // checkov:skip=CKV_AZURE_43:Checkov cannot work out the name: stnumera and 13 letters and digits.
  name: accountName
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: { name: redundancy }
  properties: {
    accessTier: 'Hot'
    allowBlobPublicAccess: false
    allowCrossTenantReplication: false
    allowSharedKeyAccess: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: isPrivate ? 'Disabled' : 'Enabled'
    networkAcls: {
      defaultAction: isPrivate ? 'Deny' : 'Allow'
      bypass: 'AzureServices'
    }
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' = {
  parent: account
  name: 'default'
  properties: {
    deleteRetentionPolicy: { enabled: true, days: blobRetentionInDays }
    containerDeleteRetentionPolicy: { enabled: true, days: blobRetentionInDays }
  }
}

resource container 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' = {
  parent: blobs
  name: deploymentContainer
  properties: { publicAccess: 'None' }
}

resource tableService 'Microsoft.Storage/storageAccounts/tableServices@2025-01-01' = {
  parent: account
  name: 'default'
}

resource tables 'Microsoft.Storage/storageAccounts/tableServices/tables@2025-01-01' = [for name in tableNames: {
  parent: tableService
  name: name
}]

resource queueService 'Microsoft.Storage/storageAccounts/queueServices@2025-01-01' = {
  parent: account
  name: 'default'
}

resource queues 'Microsoft.Storage/storageAccounts/queueServices/queues@2025-01-01' = [for name in queueNames: {
  parent: queueService
  name: name
}]

// The poison alert reads this log: it is written by the queue service itself, whoever moved the message.
resource queueLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  scope: queueService
  name: 'queue-log'
  properties: {
    workspaceId: workspaceId
    logs: [for category in ['StorageWrite', 'StorageDelete']: {
      category: category
      enabled: true
    }]
  }
}

@description('Name of the account.')
output accountName string = account.name

@description('Container that the app is deployed from.')
output deploymentContainerUrl string = '${account.properties.primaryEndpoints.blob}${container.name}'

@description('Queue that unusable messages end in.')
output poisonQueueName string = queueNames[1]
