metadata description = 'Where logs, traces and metrics go, and the workbook that shows them.'

import { resourceTags } from 'types.bicep'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags resourceTags

@description('Name of the Log Analytics workspace.')
@minLength(4)
@maxLength(63)
param workspaceName string

@description('Name of the Application Insights component.')
@minLength(1)
@maxLength(260)
param applicationInsightsName string

@description('Days that logs are kept. Up to 31 days are included in the price of ingestion.')
@minValue(30)
@maxValue(730)
param retentionInDays int

@description('GB of logs a day, beyond which nothing is taken until the next day; 0: no limit.')
@minValue(0)
@maxValue(4000)
param dailyCapGb int

// The tables of Application Insights. They keep their rows for 90 days regardless of the workspace's setting, and contain callers' keys and
// addresses.
var tableNames = [
  'AppAvailabilityResults'
  'AppBrowserTimings'
  'AppDependencies'
  'AppEvents'
  'AppExceptions'
  'AppMetrics'
  'AppPageViews'
  'AppPerformanceCounters'
  'AppRequests'
  'AppSystemEvents'
  'AppTraces'
]

resource workspace 'Microsoft.OperationalInsights/workspaces@2026-03-01' = {
  name: workspaceName
  location: location
  tags: tags
  properties: {
    sku: { name: 'PerGB2018' }
    retentionInDays: retentionInDays
    // -1 means no limit. It is set explicitly, so that removing an earlier limit takes effect.
    workspaceCapping: { dailyQuotaGb: dailyCapGb == 0 ? -1 : dailyCapGb }
    features: {
      disableLocalAuth: true
      enableLogAccessUsingOnlyResourcePermissions: true
    }
  }
}

// One table after the other, because a workspace refuses a change while another one is in progress.
@batchSize(1)
resource tables 'Microsoft.OperationalInsights/workspaces/tables@2026-03-01' = [
  for name in tableNames: {
    parent: workspace
    name: name
    properties: {
      retentionInDays: retentionInDays
      totalRetentionInDays: retentionInDays
    }
  }
]

resource applicationInsights 'Microsoft.Insights/components@2020-02-02' = {
  name: applicationInsightsName
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    DisableLocalAuth: true
  }
}

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(workspace.id, 'numera')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: 'Numera'
    category: 'workbook'
    sourceId: workspace.id
    serializedData: replace(loadTextContent('workbook.json'), '<workspace>', workspace.id)
  }
}

@description('Resource id of the workspace.')
output workspaceId string = workspace.id

@description('Resource id of the Application Insights component.')
output applicationInsightsId string = applicationInsights.id

@description('Where telemetry is sent. It is an address, no secret: local authentication is off.')
output applicationInsightsConnectionString string = applicationInsights.properties.ConnectionString
