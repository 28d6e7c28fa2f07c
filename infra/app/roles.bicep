metadata description = 'The identity that the app acts as, and all that it may do.'

import { resourceTags } from 'types.bicep'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags resourceTags

@description('Name of the identity.')
@minLength(3)
@maxLength(128)
param identityName string

@description('Storage account that the identity may use.')
param storageAccountName string

@description('Application Insights component that the identity may write to.')
param applicationInsightsName string

// Each is the least built-in role for its service. The account holds nothing but what belongs to this app, so a role on
// the account opens no more than one on each container, queue and table would.
var storageRoles = [
  // Storage Blob Data Owner: the deployment package, the host's keys and leases, which the host creates and locks.
  // It includes the policies of containers, so the policy of backups holds against the app only once it is locked.
  'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
  // Storage Queue Data Contributor: a message that fails is given back by an update, which the processor role lacks.
  '974c5e8b-45b9-4653-ba55-5f855dd0fb88'
  // Storage Table Data Contributor: counters, ledgers and definitions.
  '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'
]
var monitoringMetricsPublisher = '3913510d-42f4-4e42-8a64-420c390055eb'

resource account 'Microsoft.Storage/storageAccounts@2026-06-01' existing = {
  name: storageAccountName
}

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: applicationInsightsName
}

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: identityName
  location: location
  tags: tags
}

resource storageAssignments 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for role in storageRoles: {
    scope: account
    name: guid(account.id, identity.id, role)
    properties: {
      principalId: identity.properties.principalId
      principalType: 'ServicePrincipal'
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role)
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
