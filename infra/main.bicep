targetScope = 'subscription'

metadata description = 'Numera on Azure Functions Flex Consumption: one app, one storage account, its monitoring. Deployed by azd.'

// ---- Parameters: azd fills them from its environment, see main.parameters.json ----

@description('Name of the azd environment; it names the resource group and seeds the other names.')
@minLength(1)
@maxLength(64)
param environmentName string

@description('Azure region of all resources. It must offer Flex Consumption and the chosen storage redundancy.')
@minLength(1)
@metadata({ azd: { type: 'location' } })
param location string

@description('Copies of the tables. Zones protect from the loss of a data centre. After a failover to another region (GRS, GZRS) the last writes may be gone: run the restore runbook before numbers are handed out again.')
@allowed([
  'Standard_LRS'
  'Standard_ZRS'
  'Standard_GRS'
  'Standard_GZRS'
])
param storageRedundancy string = 'Standard_ZRS'

@description('Puts the storage account behind private endpoints in a virtual network of its own. The HTTP endpoint stays public, protected by its keys.')
param privateNetwork bool = false

@description('HTTP calls that one instance takes at once. Calls that wait together share a write, so merging needs many on one instance. Half of it becomes the bound of one sequence (Numera_MaxWaitingCalls): one sequence in trouble never fills an instance.')
@minValue(50)
@maxValue(1000)
param httpConcurrencyPerInstance int = 256

@description('The most instances. More instances never make one strict or gapless sequence faster; they help when many sequences are busy.')
@minValue(40)
@maxValue(1000)
param maximumInstanceCount int = 40

@description('Instances kept warm for HTTP calls. They are billed while idle and spare the first caller the start of the JVM.')
@minValue(0)
@maxValue(20)
param alwaysReadyInstances int = 0

@description('Spreads instances over availability zones. The region must have zones, and alwaysReadyInstances be 0 or at least 2.')
param zoneRedundant bool = false

@description('Who may create a sequence by asking for its first number: anybody (always), only names with a template (template), nobody (never).')
@allowed([
  'always'
  'template'
  'never'
])
param autoCreate string = 'always'

@description('Serves the console, a page for people, at /api/console. The page is anonymous and holds no data; what it shows needs function keys.')
@allowed([
  'on'
  'off'
])
param console string = 'off'

@description('Address that alerts are mailed to. Without one they are only listed in the portal.')
@maxLength(254)
param alertEmail string = ''

@description('Asks /api/health from five places every five minutes. This also keeps one instance awake most of the time, which costs.')
param availabilityTest bool = true

// ---- Names ----

var token = uniqueString(subscription().id, environmentName, location)
var tags = { 'azd-env-name': environmentName }
var appName = 'func-numera-${token}'

// ---- Resources ----

resource group 'Microsoft.Resources/resourceGroups@2025-04-01' = {
  name: 'rg-${environmentName}'
  location: location
  tags: tags
}

module monitoring 'app/monitoring.bicep' = {
  name: 'monitoring'
  scope: group
  params: {
    location: location
    tags: tags
    workspaceName: 'log-numera-${token}'
    applicationInsightsName: 'appi-numera-${token}'
  }
}

module storage 'app/storage.bicep' = {
  name: 'storage'
  scope: group
  params: {
    location: location
    tags: tags
    accountName: 'stnumera${token}'
    redundancy: storageRedundancy
    isPrivate: privateNetwork
    workspaceId: monitoring.outputs.workspaceId
  }
}

module network 'app/network.bicep' = if (privateNetwork) {
  name: 'network'
  scope: group
  params: {
    location: location
    tags: tags
    token: token
    storageAccountName: storage.outputs.accountName
  }
}

module roles 'app/roles.bicep' = {
  name: 'roles'
  scope: group
  params: {
    location: location
    tags: tags
    identityName: 'id-numera-${token}'
    storageAccountName: storage.outputs.accountName
    applicationInsightsName: monitoring.outputs.applicationInsightsName
  }
}

module functionApp 'app/function-app.bicep' = {
  name: 'function-app'
  scope: group
  params: {
    location: location
    tags: tags
    appName: appName
    planName: 'plan-numera-${token}'
    identityId: roles.outputs.identityId
    identityClientId: roles.outputs.identityClientId
    storageAccountName: storage.outputs.accountName
    deploymentContainerUrl: storage.outputs.deploymentContainerUrl
    applicationInsightsConnectionString: monitoring.outputs.applicationInsightsConnectionString
    httpConcurrencyPerInstance: httpConcurrencyPerInstance
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstances: alwaysReadyInstances
    zoneRedundant: zoneRedundant
    autoCreate: autoCreate
    console: console
    subnetId: privateNetwork ? network!.outputs.appSubnetId : ''
  }
}

module alerts 'app/alerts.bicep' = {
  name: 'alerts'
  scope: group
  params: {
    location: location
    tags: tags
    token: token
    workspaceId: monitoring.outputs.workspaceId
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    poisonQueueName: storage.outputs.poisonQueueName
    healthUrl: '${functionApp.outputs.apiUrl}/health'
    email: alertEmail
    availabilityTest: availabilityTest
  }
}

// ---- Outputs: azd keeps them in its environment ----

@description('Region of all resources.')
output AZURE_LOCATION string = location

@description('Resource group that holds everything.')
output AZURE_RESOURCE_GROUP string = group.name

@description('Name of the function app, for az functionapp ... --name.')
output NUMERA_APP_NAME string = functionApp.outputs.appName

@description('Base URL of the HTTP interface, with the /api prefix.')
output NUMERA_URL string = functionApp.outputs.apiUrl

@description('Storage account of the tables and queues, for backup, restore and poison messages.')
output NUMERA_STORAGE_ACCOUNT string = storage.outputs.accountName
