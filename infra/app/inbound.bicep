metadata description = 'A private endpoint for calls to the app, which then has no public address.'

import { resourceTags } from 'types.bicep'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags resourceTags

@description('Suffix that makes names unique.')
@minLength(5)
param token string

@description('Name of the function app.')
param appName string

@description('Subnet of the endpoint.')
param subnetId string

@description('Network of that subnet.')
param virtualNetworkId string

@description('Makes the DNS zone of the endpoint.')
param dns bool

resource app 'Microsoft.Web/sites@2025-03-01' existing = {
  name: appName
}

resource zone 'Microsoft.Network/privateDnsZones@2024-06-01' = if (dns) {
  name: 'privatelink.azurewebsites.net'
  location: 'global'
  tags: tags
}

resource link 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = if (dns) {
  parent: zone
  name: 'numera-${token}'
  location: 'global'
  tags: tags
  properties: {
    registrationEnabled: false
    virtualNetwork: { id: virtualNetworkId }
  }
}

resource endpoint 'Microsoft.Network/privateEndpoints@2026-03-01' = {
  name: 'pep-app-${token}'
  location: location
  tags: tags
  properties: {
    subnet: { id: subnetId }
    privateLinkServiceConnections: [
      {
        name: 'app'
        properties: {
          privateLinkServiceId: app.id
          groupIds: ['sites']
        }
      }
    ]
  }
}

resource zoneGroup 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2026-03-01' = if (dns) {
  parent: endpoint
  name: 'default'
  properties: {
    privateDnsZoneConfigs: [
      {
        name: 'app'
        properties: { privateDnsZoneId: zone.id }
      }
    ]
  }
}
