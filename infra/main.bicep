targetScope = 'subscription'

metadata description = 'Numera on Azure Functions Flex Consumption: one app, two storage accounts, its monitoring. Deployed by azd.'

// ---- Parameters: azd fills them from its environment, see main.parameters.json ----

@description('Name of the azd environment; it names the resource group and seeds the other names.')
@minLength(1)
@maxLength(64)
param environmentName string

// The regions with Flex Consumption. A wrong region would fail only after storage and its lock exist. `az functionapp
// list-flexconsumption-locations` prints them; add new ones here.
@description('Azure region of all resources. It must offer the chosen storage redundancy.')
@allowed([
  'australiaeast'
  'australiasoutheast'
  'brazilsouth'
  'canadacentral'
  'centralindia'
  'centralus'
  'eastasia'
  'eastus'
  'eastus2'
  'francecentral'
  'germanywestcentral'
  'italynorth'
  'japaneast'
  'koreacentral'
  'northcentralus'
  'northeurope'
  'norwayeast'
  'southafricanorth'
  'southcentralus'
  'southeastasia'
  'southindia'
  'spaincentral'
  'swedencentral'
  'uaenorth'
  'uksouth'
  'ukwest'
  'westcentralus'
  'westeurope'
  'westus'
  'westus2'
  'westus3'
])
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

@description('Puts the storage account behind private endpoints, as privateInbound and subnets of your own do without it. The HTTP endpoint stays public, protected by its keys, unless privateInbound is set.')
param privateNetwork bool = false

@description('Takes calls only through a private endpoint, with the storage account behind private endpoints too. Who deploys has to be inside the network.')
param privateInbound bool = false

@description('Addresses of the virtual network that is made, a /16.')
@minLength(9)
@maxLength(18)
param networkAddresses string = '10.0.0.0/16'

@description('Resource id of a subnet of your own that the app calls from, delegated to Microsoft.App/environments and used by nothing else. With privateEndpointSubnetId it takes the place of the network that is made; one without the other is refused.')
@maxLength(1000)
param appSubnetId string = ''

@description('Resource id of a subnet of your own for the private endpoints.')
@maxLength(1000)
param privateEndpointSubnetId string = ''

@description('Makes the private DNS zones of the endpoints and links them to the network. Off where a central DNS does it.')
param privateDns bool = true

@description('Keeps the storage account, and so every number, from being deleted by mistake. It has to be taken off before azd down.')
param deleteLock bool = true

@description('What the storage account writes to the log: nothing (none), what was deleted in tables and blobs (deletes), or a line for every request (all), which costs more than all other logs together.')
@allowed([
  'none'
  'deletes'
  'all'
])
param storageLogs string = 'deletes'

@description('Days that logs are kept. Up to 31 days are included in the price of ingestion.')
@minValue(30)
@maxValue(730)
param logRetentionDays int = 30

@description('GB of logs a day, beyond which nothing is taken until the next day: alerts are deaf until then. 0: no limit.')
@minValue(0)
@maxValue(4000)
param logDailyCapGb int = 0

@description('Percent of its traces, and of the log lines that belong to them, that the host sends. Below 100 the alerts on single lines can miss what they look for.')
@minValue(1)
@maxValue(100)
param telemetryPercent int = 100

@description('Money a month, in the currency of the bill, beyond which alertEmail is mailed to. It stops nothing. Needs alertEmail and budgetFrom. 0: no budget.')
@minValue(0)
param monthlyBudget int = 0

@description('First day of the month from which the budget counts, such as 2027-01-01. When it is made, not in a month that is over.')
@maxLength(10)
param budgetFrom string = ''

@description('Memory of one instance in MB. CPU comes in proportion: with 512 a quarter of a core, for a JVM that has to start within 30 s. Measure before you take less than 2048.')
@allowed([
  512
  2048
  4096
])
param instanceMemoryMB int = 2048

@description('Java version of the platform. The jar is compiled for 17.')
@allowed([
  '17'
  '21'
])
param javaVersion string = '17'

@description('HTTP calls that one instance takes at once. Calls that wait together share a write, so merging needs many on one instance. Half of it is the most that one sequence gets, whatever maxWaitingCalls says: one sequence in trouble never fills an instance.')
@minValue(50)
@maxValue(1000)
param httpConcurrencyPerInstance int = 256

@description('The most instances of each group of functions: HTTP, the queue and each timer are groups of their own. More instances never make one strict or gapless sequence faster; they help when many sequences are busy.')
@minValue(1)
@maxValue(1000)
param maximumInstanceCount int = 40

@description('Instances kept warm for HTTP calls. They are billed while idle and spare the first caller the start of the JVM.')
@minValue(0)
@maxValue(20)
param alwaysReadyInstances int = 0

@description('Spreads instances over availability zones, which the region must have. The platform then keeps two instances of each group of functions always ready, ten with HTTP, the queue and three timers, and bills them: docs/cost.md. alwaysReadyInstances must be 0 or at least 2.')
param zoneRedundant bool = false

@description('What happens to instances when code or settings change: Recreate stops all at once, RollingUpdate (a preview of the platform) replaces them in batches, for up to an hour. A change of it counts from the next change on. The runbook for lost tables without a backup waits as long.')
@allowed([
  'Recreate'
  'RollingUpdate'
])
param updateStrategy string = 'Recreate'

// The settings of the app, one parameter each. AgreementTest keeps names, defaults and bounds equal to those of the code.

@description('Who may create a sequence by requesting its first number: any caller (always), only names with a template (template), none (never). A typo in a name must not start a series of invoices.')
@allowed([
  'always'
  'template'
  'never'
])
param autoCreate string = 'template'

@description('How long one call may take, waiting included.')
@minValue(100)
@maxValue(200000)
param deadlineMillis int = 10000

@description('How long one storage request may take.')
@minValue(50)
@maxValue(30000)
param storageTimeoutMillis int = 2000

@description('Calls for one sequence that may be under way on one instance. Never more than half of httpConcurrencyPerInstance.')
@minValue(1)
@maxValue(10000)
param maxWaitingCalls int = 128

@description('How many days ahead the date of new numbers may be.')
@minValue(0)
@maxValue(36500)
param maxDaysAhead int = 400

@description('How many days back a date may lie that opens a period. Periods that are open, imports and reads are not bound by it.')
@minValue(0)
@maxValue(36500)
param maxDaysBack int = 3660

@description('How long an upload and its results can be read.')
@minValue(1)
@maxValue(3650)
param keepUploadsDays int = 30

@description('Serves the console, a page for people, at /api/console. The page is anonymous and holds no data; what it shows needs function keys.')
@allowed([
  'on'
  'off'
])
param console string = 'off'

@description('Whether every call with a key must state its rights (Numera-Rights), as a gateway that validates tokens does.')
@allowed([
  'required'
  'optional'
])
param rights string = 'optional'

@description('Address that alerts are mailed to. Without one they are only listed in the portal.')
@maxLength(254)
param alertEmail string = ''

@description('Calls /api/health from five places. This keeps an instance awake, which costs: docs/cost.md. The alert on silence does without. With privateInbound there is no test: nothing outside reaches the app.')
param availabilityTest bool = false

@description('Seconds between two of these tests from the same place.')
@allowed([
  300
  600
  900
])
param availabilityTestSeconds int = 900

@description('When a backup of all tables is written, as six fields of NCRONTAB in UTC; off: never.')
param backupSchedule string = '0 0 2 * * *'

@description('Days that a backup is kept.')
@minValue(1)
@maxValue(3650)
param backupRetentionInDays int = 35

@description('Days in which a backup cannot be changed or deleted. Until the policy is locked, owners of the account and the app itself can lift it: docs/operations.md. 0: no such policy.')
@minValue(0)
@maxValue(3650)
param backupImmutableInDays int = 7

// ---- Names ----

var token = uniqueString(subscription().id, environmentName, location)
var tags = { 'azd-env-name': environmentName }
// Modules take names from here and not from the outputs of other modules, because what-if cannot follow an output to the resources that
// depend on it.
var appName = 'func-numera-${token}'
var dataAccountName = 'stnumera${token}'
var hostAccountName = 'sthost${token}'
var applicationInsightsName = 'appi-numera-${token}'

// The private network is complete or absent. One subnet of two is refused before anything is created, so that a missing parameter never
// makes the app public.
var hasOwnSubnets = empty(appSubnetId) == empty(privateEndpointSubnetId)
  ? !empty(appSubnetId)
  : fail('Set both appSubnetId and privateEndpointSubnetId, or neither.')
var isPrivate = hasOwnSubnets || privateNetwork || privateInbound

// The platform refuses these only after storage and its lock exist.
var warmInstances = zoneRedundant && alwaysReadyInstances == 1
  ? fail('With zoneRedundant, alwaysReadyInstances must be 0 or at least 2.')
  : alwaysReadyInstances > maximumInstanceCount
      ? fail('alwaysReadyInstances is greater than maximumInstanceCount.')
      : alwaysReadyInstances

var addressesOfNetwork = endsWith(networkAddresses, '/16')
  ? networkAddresses
  : fail('networkAddresses must be a /16, such as 10.0.0.0/16.')

var hasBudget = monthlyBudget == 0
  ? false
  : !empty(alertEmail) && !empty(budgetFrom) ? true : fail('A budget needs alertEmail and budgetFrom.')

// ---- Settings that the app reads ----

// Not a parameter: on Azure these templates create the tables. An app that recreates a lost table would restart its sequences.
var createTables = 'false'
var settings = {
  Numera_AutoCreate: autoCreate
  // The host requires a schedule. Without backups, the function is disabled and this schedule has no effect.
  Numera_BackupSchedule: backupSchedule == 'off' ? '0 0 0 1 1 *' : backupSchedule
  Numera_Console: console
  Numera_CreateTables: createTables
  Numera_DeadlineMillis: string(deadlineMillis)
  Numera_KeepUploadsDays: string(keepUploadsDays)
  Numera_MaxDaysAhead: string(maxDaysAhead)
  Numera_MaxDaysBack: string(maxDaysBack)
  Numera_MaxWaitingCalls: string(min(maxWaitingCalls, httpConcurrencyPerInstance / 2))
  Numera_Rights: rights
  Numera_StorageTimeoutMillis: string(storageTimeoutMillis)
  'AzureWebJobs.Backup.Disabled': backupSchedule == 'off' ? 'true' : 'false'
}

// ---- Resources ----

resource group 'Microsoft.Resources/resourceGroups@2025-04-01' = {
  name: 'rg-${environmentName}'
  location: location
  tags: tags
}

module monitoring 'app/monitoring.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    workspaceName: 'log-numera-${token}'
    applicationInsightsName: applicationInsightsName
    retentionInDays: logRetentionDays
    dailyCapGb: logDailyCapGb
  }
}

// Two accounts, so that the rights that the Functions host needs include none on the numbers.
module dataAccount 'app/account.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    accountName: dataAccountName
    redundancy: storageRedundancy
    isPrivate: isPrivate
  }
}

module hostAccount 'app/account.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    accountName: hostAccountName
    redundancy: storageRedundancy
    isPrivate: isPrivate
  }
}

module storage 'app/storage.bicep' = {
  scope: group
  params: {
    accountName: dataAccountName
    workspaceId: monitoring.outputs.workspaceId
    logs: storageLogs
    deleteLock: deleteLock
    backupRetentionInDays: backupRetentionInDays
    backupImmutableInDays: backupImmutableInDays
  }
  dependsOn: [dataAccount]
}

module host 'app/host.bicep' = {
  scope: group
  params: {
    accountName: hostAccountName
  }
  dependsOn: [hostAccount]
}

module network 'app/network.bicep' = if (isPrivate) {
  scope: group
  params: {
    location: location
    tags: tags
    token: token
    dataAccountName: dataAccountName
    hostAccountName: hostAccountName
    addresses: addressesOfNetwork
    ownAppSubnetId: appSubnetId
    ownPrivateEndpointSubnetId: privateEndpointSubnetId
    dns: privateDns
  }
  dependsOn: [dataAccount, hostAccount]
}

module roles 'app/roles.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    identityName: 'id-numera-${token}'
    hostAccountName: hostAccountName
    dataAccountName: dataAccountName
    applicationInsightsName: applicationInsightsName
  }
  dependsOn: [storage, host, monitoring]
}

module functionApp 'app/function-app.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    appName: appName
    planName: 'plan-numera-${token}'
    identityId: roles.outputs.identityId
    identityClientId: roles.outputs.identityClientId
    hostAccountName: hostAccountName
    dataAccountName: dataAccountName
    deploymentContainerUrl: host.outputs.deploymentContainerUrl
    applicationInsightsConnectionString: monitoring.outputs.applicationInsightsConnectionString
    httpConcurrencyPerInstance: httpConcurrencyPerInstance
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstances: warmInstances
    zoneRedundant: zoneRedundant
    instanceMemoryMB: instanceMemoryMB
    javaVersion: javaVersion
    updateStrategy: updateStrategy
    telemetryPercent: telemetryPercent
    settings: settings
    subnetId: isPrivate ? network!.outputs.appSubnetId : ''
    isPrivate: privateInbound
  }
}

module inbound 'app/inbound.bicep' = if (privateInbound) {
  scope: group
  params: {
    location: location
    tags: tags
    token: token
    appName: appName
    subnetId: network!.outputs.privateEndpointSubnetId
    virtualNetworkId: network!.outputs.virtualNetworkId
    dns: privateDns
  }
  dependsOn: [functionApp]
}

module alerts 'app/alerts.bicep' = {
  scope: group
  params: {
    location: location
    tags: tags
    token: token
    workspaceId: monitoring.outputs.workspaceId
    applicationInsightsId: monitoring.outputs.applicationInsightsId
    healthUrl: '${functionApp.outputs.apiUrl}/health'
    email: alertEmail
    availabilityTest: availabilityTest && !privateInbound
    availabilityTestSeconds: availabilityTestSeconds
    backups: backupSchedule != 'off'
  }
}

module budget 'app/budget.bicep' = if (hasBudget) {
  scope: group
  params: {
    token: token
    amount: max(monthlyBudget, 1)
    from: budgetFrom
    email: alertEmail
  }
}

// ---- Outputs: azd keeps them in its environment ----

@description('Region of all resources.')
output AZURE_LOCATION string = location

@description('Resource group that holds everything.')
output AZURE_RESOURCE_GROUP string = group.name

@description('Name of the function app, for az functionapp ... --name.')
output NUMERA_APP_NAME string = appName

@description('Base URL of the HTTP interface, with the /api prefix.')
output NUMERA_URL string = functionApp.outputs.apiUrl

@description('Storage account of the tables, queues and backups, for backup, restore and poison messages.')
output NUMERA_STORAGE_ACCOUNT string = dataAccountName

@description('Storage account of the Functions host: the deployment package and the function keys.')
output NUMERA_HOST_ACCOUNT string = hostAccountName
