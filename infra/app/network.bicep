metadata description = 'A virtual network for the app, with private endpoints to the storage account.'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Suffix that makes names unique.')
@minLength(5)
param token string

@description('Storage account that is reached privately.')
param storageAccountName string

var services = ['blob', 'queue', 'table']

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: storageAccountName
}

resource virtualNetwork 'Microsoft.Network/virtualNetworks@2024-07-01' = {
  name: 'vnet-numera-${token}'
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] }
  }
}

resource appSubnet 'Microsoft.Network/virtualNetworks/subnets@2024-07-01' = {
  parent: virtualNetwork
  name: 'app'
  properties: {
    // Each instance may take an address of its own: 251 are free here.
    addressPrefix: '10.0.0.0/24'
    delegations: [
      {
        name: 'flex-consumption'
        properties: { serviceName: 'Microsoft.App/environments' }
      }
    ]
  }
}

resource endpointSubnet 'Microsoft.Network/virtualNetworks/subnets@2024-07-01' = {
  parent: virtualNetwork
  name: 'private-endpoints'
  properties: {
    addressPrefix: '10.0.1.0/27'
    defaultOutboundAccess: false
  }
  // Subnets of one network can't be written at the same time.
  dependsOn: [appSubnet]
}

resource zones 'Microsoft.Network/privateDnsZones@2024-06-01' = [for service in services: {
  name: 'privatelink.${service}.${environment().suffixes.storage}'
  location: 'global'
  tags: tags
}]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [for (service, i) in services: {
  parent: zones[i]
  name: 'numera-${token}'
  location: 'global'
  tags: tags
  properties: {
    registrationEnabled: false
    virtualNetwork: { id: virtualNetwork.id }
  }
}]

resource endpoints 'Microsoft.Network/privateEndpoints@2024-07-01' = [for service in services: {
  name: 'pep-${service}-${token}'
  location: location
  tags: tags
  properties: {
    subnet: { id: endpointSubnet.id }
    privateLinkServiceConnections: [
      {
        name: service
        properties: {
          privateLinkServiceId: account.id
          groupIds: [service]
        }
      }
    ]
  }
}]

resource zoneGroups 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2024-07-01' = [for (service, i) in services: {
  parent: endpoints[i]
  name: 'default'
  properties: {
    privateDnsZoneConfigs: [
      {
        name: service
        properties: { privateDnsZoneId: zones[i].id }
      }
    ]
  }
}]

@description('Subnet that the app calls from.')
output appSubnetId string = appSubnet.id
