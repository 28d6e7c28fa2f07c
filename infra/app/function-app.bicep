metadata description = 'The function app on its Flex Consumption plan.'

import { appSettings, resourceTags } from 'types.bicep'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags resourceTags

@description('Name of the app, unique in all of Azure: it becomes a host name.')
@minLength(2)
@maxLength(60)
param appName string

@description('Name of the plan.')
@minLength(1)
@maxLength(60)
param planName string

@description('Resource id of the identity that the app acts as.')
param identityId string

@description('Client id of that identity.')
param identityClientId string

@description('Account of the Functions host.')
param hostAccountName string

@description('Account of the numbers.')
param dataAccountName string

@description('Container that the app is deployed from.')
param deploymentContainerUrl string

@description('Where telemetry is sent.')
param applicationInsightsConnectionString string

@description('HTTP calls that one instance takes at once.')
@minValue(50)
@maxValue(1000)
param httpConcurrencyPerInstance int

@description('The most instances of each group of functions.')
@minValue(1)
@maxValue(1000)
param maximumInstanceCount int

@description('Instances kept warm for HTTP calls.')
@minValue(0)
@maxValue(20)
param alwaysReadyInstances int

@description('Spreads instances over availability zones.')
param zoneRedundant bool

@description('What happens to instances when code or settings change: all are stopped at once, or they are replaced in batches.')
@allowed([
  'Recreate'
  'RollingUpdate'
])
param updateStrategy string

@description('Percent of the traces that the host sends.')
@minValue(1)
@maxValue(100)
param telemetryPercent int

@description('The settings that the app reads, name by value: those named Numera_, and what turns a function off.')
param settings appSettings

@description('Subnet that the app calls from; empty: none.')
param subnetId string

@description('Closes the public address; inbound.bicep makes the private one.')
param isPrivate bool

@description('Memory of one instance. CPU comes in proportion.')
@allowed([
  512
  2048
  4096
])
param instanceMemoryMB int

@description('Java version of the platform. The jar is compiled for 17.')
@allowed([
  '17'
  '21'
])
param javaVersion string

// The settings besides the parameters. The host and Numera use two storage accounts, each identified by its name, which works only in the
// public cloud. JAVA_APPLICATIONINSIGHTS_ENABLE_TELEMETRY is missing on purpose: the host would no longer forward the worker's log, so the
// log alerts would depend on the Java agent alone.
var fixedSettings appSettings = {
  APPLICATIONINSIGHTS_CONNECTION_STRING: applicationInsightsConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identityClientId};Authorization=AAD'
  APPLICATIONINSIGHTS_ENABLE_AGENT: 'true'
  // The host's sampling. The one in host.json does not apply with OpenTelemetry. Without these two settings, a newer host would send five
  // traces a second and no logs of the other calls, so alerts would miss them.
  OTEL_TRACES_SAMPLER: 'microsoft.fixed_percentage'
  OTEL_TRACES_SAMPLER_ARG: telemetryPercent == 100 ? '1.0' : '0.${padLeft(telemetryPercent, 2, '0')}'
  AzureWebJobsStorage__accountName: hostAccountName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identityClientId
  NumeraStorage__accountName: dataAccountName
  NumeraStorage__credential: 'managedidentity'
  NumeraStorage__clientId: identityClientId
  // An OutOfMemoryError can end any thread, and the process would continue without it. With this flag the process ends, and the host starts
  // a new one. JAVA_OPTS has no effect on Flex Consumption, where the JVM starts before the app is known. Because of these arguments the
  // host starts the JVM a second time, which makes a cold start longer.
  languageWorkers__java__arguments: '-XX:+ExitOnOutOfMemoryError'
}

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: {
    name: 'FC1'
    tier: 'FlexConsumption'
  }
  properties: {
    reserved: true
    zoneRedundant: zoneRedundant
  }
}

resource app 'Microsoft.Web/sites@2025-03-01' = {
  name: appName
  location: location
  tags: union(tags, { 'azd-service-name': 'numera' })
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: { '${identityId}': {} }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    publicNetworkAccess: isPrivate ? 'Disabled' : 'Enabled'
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    functionAppConfig: {
      deployment: {
        storage: {
          type: 'blobContainer'
          value: deploymentContainerUrl
          authentication: {
            type: 'UserAssignedIdentity'
            userAssignedIdentityResourceId: identityId
          }
        }
      }
      runtime: {
        name: 'java'
        version: javaVersion
      }
      // The platform accepts this property, but the compiler's types do not include it yet.
      #disable-next-line BCP037
      siteUpdateStrategy: {
        type: updateStrategy
      }
      scaleAndConcurrency: {
        instanceMemoryMB: instanceMemoryMB
        maximumInstanceCount: maximumInstanceCount
        alwaysReady: alwaysReadyInstances == 0 ? [] : [{ name: 'http', instanceCount: alwaysReadyInstances }]
        triggers: {
          http: { perInstanceConcurrency: httpConcurrencyPerInstance }
        }
      }
    }
    siteConfig: {
      minTlsVersion: '1.2'
      http20Enabled: true
      appSettings: [
        for setting in items(union(fixedSettings, settings)): {
          name: setting.key
          value: setting.value
        }
      ]
    }
  }
}

// Publishing accepts only an Entra token, no user name and password. Two resources instead of a loop let the compiler check the type of
// each.
resource ftpPublishing 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'ftp'
  properties: { allow: false }
}

resource scmPublishing 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'scm'
  properties: { allow: false }
}

@description('Base URL of the HTTP interface.')
output apiUrl string = 'https://${app.properties.defaultHostName}/api'
