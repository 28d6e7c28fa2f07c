metadata description = 'Private endpoints to the storage accounts, in a virtual network that is made here or in subnets of your own.'

import { resourceTags } from 'types.bicep'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags resourceTags

@description('Suffix that makes names unique.')
@minLength(5)
param token string

@description('Account of the numbers: its blobs, queues and tables are reached privately.')
param dataAccountName string

@description('Account of the Functions host: its blobs are reached privately.')
param hostAccountName string

@description('Addresses of the network that is made here.')
@minLength(9)
@maxLength(18)
param addresses string

@description('Subnet of your own that the app calls from; empty: a network is made here.')
param ownAppSubnetId string

@description('Subnet of your own for the endpoints.')
param ownPrivateEndpointSubnetId string

@description('Makes the DNS zones of the endpoints.')
param dns bool

var isOwn = !empty(ownAppSubnetId) && !empty(ownPrivateEndpointSubnetId)
// The first two of the four numbers of an address.
var firstTwo = join(take(split(addresses, '.'), 2), '.')
var services = ['blob', 'queue', 'table']
// The private endpoints: a name, the account, and the index of the service.
var targets = [
  { name: 'blob', ofHost: false, service: 0 }
  { name: 'queue', ofHost: false, service: 1 }
  { name: 'table', ofHost: false, service: 2 }
  { name: 'host-blob', ofHost: true, service: 0 }
]

resource dataAccount 'Microsoft.Storage/storageAccounts@2026-06-01' existing = {
  name: dataAccountName
}

resource hostAccount 'Microsoft.Storage/storageAccounts@2026-06-01' existing = {
  name: hostAccountName
}

resource virtualNetwork 'Microsoft.Network/virtualNetworks@2026-03-01' = if (!isOwn) {
  name: 'vnet-numera-${token}'
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: [addresses] }
  }
}

resource appSubnet 'Microsoft.Network/virtualNetworks/subnets@2026-03-01' = if (!isOwn) {
  parent: virtualNetwork
  name: 'app'
  properties: {
    // Each instance may need its own address: this subnet has 251 free ones.
    addressPrefix: '${firstTwo}.0.0/24'
    // Set explicitly, because newer versions of the type make subnets private by default, and telemetry goes to a public address.
    defaultOutboundAccess: true
    delegations: [
      {
        // These templates do not register its provider: see docs/operations.md.
        name: 'flex-consumption'
        properties: { serviceName: 'Microsoft.App/environments' }
      }
    ]
  }
}

resource endpointSubnet 'Microsoft.Network/virtualNetworks/subnets@2026-03-01' = if (!isOwn) {
  parent: virtualNetwork
  name: 'private-endpoints'
  properties: {
    addressPrefix: '${firstTwo}.1.0/27'
    defaultOutboundAccess: false
  }
  // Subnets of one network cannot be written at the same time.
  dependsOn: [appSubnet]
}

// The part of a subnet's id before /subnets/ is the id of the network.
var subnetId = isOwn ? ownPrivateEndpointSubnetId : endpointSubnet.id
var networkId = isOwn ? first(split(ownPrivateEndpointSubnetId, '/subnets/')) : virtualNetwork.id

resource zones 'Microsoft.Network/privateDnsZones@2024-06-01' = [
  for service in services: if (dns) {
    name: 'privatelink.${service}.${environment().suffixes.storage}'
    location: 'global'
    tags: tags
  }
]

resource links 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [
  for (service, i) in services: if (dns) {
    parent: zones[i]
    name: 'numera-${token}'
    location: 'global'
    tags: tags
    properties: {
      registrationEnabled: false
      virtualNetwork: { id: networkId }
    }
  }
]

resource endpoints 'Microsoft.Network/privateEndpoints@2026-03-01' = [
  for target in targets: {
    name: 'pep-${target.name}-${token}'
    location: location
    tags: tags
    properties: {
      subnet: { id: subnetId }
      privateLinkServiceConnections: [
        {
          name: target.name
          properties: {
            privateLinkServiceId: target.ofHost ? hostAccount.id : dataAccount.id
            groupIds: [services[target.service]]
          }
        }
      ]
    }
  }
]

resource zoneGroups 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2026-03-01' = [
  for (target, i) in targets: if (dns) {
    parent: endpoints[i]
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [
        {
          name: services[target.service]
          properties: { privateDnsZoneId: zones[target.service].id }
        }
      ]
    }
  }
]

@description('Subnet that the app calls from.')
output appSubnetId string = isOwn ? ownAppSubnetId : appSubnet.id

@description('Subnet of the private endpoints.')
output privateEndpointSubnetId string = subnetId

@description('Network of that subnet.')
output virtualNetworkId string = networkId
