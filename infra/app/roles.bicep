metadata description = 'The identity that the app acts as, and all that it may do.'

import { backupContainer, queueNames, tableNames } from 'names.bicep'
import { resourceTags } from 'types.bicep'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags resourceTags

@description('Name of the identity.')
@minLength(3)
@maxLength(128)
param identityName string

@description('Account of the Functions host.')
param hostAccountName string

@description('Account of the numbers.')
param dataAccountName string

@description('Application Insights component that the identity may write to.')
param applicationInsightsName string

// Storage Blob Data Owner on the host's own account: the host creates containers and leases, and stores the package and the keys there.
var blobOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
// Storage Blob Data Contributor, for backups. The role has no right to policies, so not even the app can change immutable backups.
var blobContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
// Storage Queue Data Contributor: the host returns a failed message with an update, which the processor role does not allow.
var queueContributor = '974c5e8b-45b9-4653-ba55-5f855dd0fb88'
// Storage Table Data Contributor: counters, ledgers and definitions.
var tableContributor = '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'
var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'

resource hostAccount 'Microsoft.Storage/storageAccounts@2026-06-01' existing = {
  name: hostAccountName
}

resource dataAccount 'Microsoft.Storage/storageAccounts@2026-06-01' existing = {
  name: dataAccountName

  resource blobs 'blobServices' existing = {
    name: 'default'

    resource backups 'containers' existing = {
      name: backupContainer
    }
  }

  resource queueService 'queueServices' existing = {
    name: 'default'

    resource queues 'queues' existing = [
      for name in queueNames: {
        name: name
      }
    ]
  }

  resource tableService 'tableServices' existing = {
    name: 'default'

    resource tables 'tables' existing = [
      for name in tableNames: {
        name: name
      }
    ]
  }
}

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: applicationInsightsName
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: identityName
  location: location
  tags: tags
}

resource hostAssignment 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  scope: hostAccount
  name: guid(hostAccount.id, identity.id, blobOwner)
  properties: {
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobOwner)
  }
}

resource backupAssignment 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  scope: dataAccount::blobs::backups
  name: guid(dataAccount::blobs::backups.id, identity.id, blobContributor)
  properties: {
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobContributor)
  }
}

resource queueAssignments 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (name, i) in queueNames: {
    scope: dataAccount::queueService::queues[i]
    name: guid(dataAccount::queueService::queues[i].id, identity.id, queueContributor)
    properties: {
      principalId: identity.properties.principalId
      principalType: 'ServicePrincipal'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', queueContributor)
    }
  }
]

resource tableAssignments 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (name, i) in tableNames: {
    scope: dataAccount::tableService::tables[i]
    name: guid(dataAccount::tableService::tables[i].id, identity.id, tableContributor)
    properties: {
      principalId: identity.properties.principalId
      principalType: 'ServicePrincipal'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', tableContributor)
    }
  }
]

resource telemetryAssignment 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  scope: applicationInsights
  name: guid(applicationInsights.id, identity.id, monitoringMetricsPublisher)
  properties: {
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', monitoringMetricsPublisher)
  }
}

@description('Resource id of the identity.')
output identityId string = identity.id

@description('Client id of the identity, for the settings.')
output identityClientId string = identity.properties.clientId
