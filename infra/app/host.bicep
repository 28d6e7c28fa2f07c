metadata description = 'What the Functions host keeps in its own account: the deployment package, keys and leases. No numbers.'

@description('Account of the host.')
@minLength(3)
@maxLength(24)
param accountName string

@description('Days that a deleted blob (a package, the function keys) can be restored.')
@minValue(1)
@maxValue(365)
param blobRetentionInDays int = 7

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

resource container 'Microsoft.Storage/storageAccounts/blobServices/containers@2026-06-01' = {
  parent: blobs
  name: 'deployment'
  properties: { publicAccess: 'None' }
}

@description('Container that the app is deployed from.')
output deploymentContainerUrl string = '${account.properties.primaryEndpoints.blob}${container.name}'
