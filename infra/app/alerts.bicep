metadata description = 'What an operator is woken for. docs/operations.md says what to do about each.'

import { resourceTags } from 'types.bicep'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags resourceTags

@description('Suffix that makes names unique.')
@minLength(5)
param token string

@description('Workspace that the log alerts query.')
param workspaceId string

@description('Application Insights component of the availability test.')
param applicationInsightsId string

@description('Address that the availability test calls.')
param healthUrl string

@description('Address that alerts are mailed to; empty: none.')
param email string

@description('Whether the health address is called from outside.')
param availabilityTest bool

@description('Seconds between two tests from one place.')
@allowed([
  300
  600
  900
])
param availabilityTestSeconds int

@description('Whether backups are made, so that a missing one is reported.')
param backups bool

// The regions that call the health address, under Application Insights' own names.
var testLocations = ['emea-nl-ams-azr', 'emea-gb-db3-azr', 'us-va-ash-azr', 'us-ca-sjc-azr', 'apac-sg-sin-azr']

// Each alert looks for rows. Azure Monitor sums their ItemCount over the window, because a row counts for several calls if calls are
// sampled. The queries are in a data file so that tests can run them over recorded rows.
var logAlerts = loadJsonContent('alerts.json')

resource actionGroup 'Microsoft.Insights/actionGroups@2023-01-01' = if (!empty(email)) {
  name: 'ag-numera-${token}'
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'numera'
    enabled: true
    emailReceivers: [
      {
        name: 'operator'
        emailAddress: email
        useCommonAlertSchema: true
      }
    ]
  }
}

var actionGroupIds = empty(email) ? [] : [actionGroup.id]

resource logAlertRules 'Microsoft.Insights/scheduledQueryRules@2026-03-01' = [
  for alert in logAlerts: if (backups || alert.name != 'no-backup') {
    name: '${alert.name}-${token}'
    location: location
    tags: tags
    kind: 'LogAlert'
    properties: {
      displayName: 'Numera: ${alert.name}'
      description: alert.description
      severity: alert.severity
      enabled: true
      scopes: [workspaceId]
      // The tables exist only after the first entry was logged.
      skipQueryValidation: true
      evaluationFrequency: alert.frequency
      windowSize: alert.window
      autoMitigate: alert.resolves
      criteria: {
        allOf: [
          {
            query: alert.query
            timeAggregation: alert.aggregation
            metricMeasureColumn: alert.aggregation == 'Total' ? 'ItemCount' : null
            operator: alert.operator
            threshold: alert.threshold
            failingPeriods: {
              numberOfEvaluationPeriods: alert.periods
              minFailingPeriodsToAlert: alert.failing
            }
          }
        ]
      }
      actions: { actionGroups: actionGroupIds }
    }
  }
]

resource healthTest 'Microsoft.Insights/webtests@2022-06-15' = if (availabilityTest) {
  name: 'health-${token}'
  location: location
  // Application Insights finds its tests by this link.
  tags: union(tags, { 'hidden-link:${applicationInsightsId}': 'Resource' })
  kind: 'standard'
  properties: {
    SyntheticMonitorId: 'health-${token}'
    Name: 'Numera health'
    Kind: 'standard'
    Enabled: true
    Frequency: availabilityTestSeconds
    Timeout: 60
    RetryEnabled: true
    Locations: [for place in testLocations: { Id: place }]
    Request: {
      RequestUrl: healthUrl
      HttpVerb: 'GET'
      ParseDependentRequests: false
    }
    ValidationRules: {
      ExpectedHttpStatusCode: 200
      SSLCheck: true
      SSLCertRemainingLifetimeCheck: 7
    }
  }
}

// Within this window each place tests at least once, and usually twice. A shorter window would miss the tests of some places; with this
// one, a failed test still counts when the next one starts.
var availabilityWindow = availabilityTestSeconds == 300 ? 'PT15M' : 'PT30M'

resource availabilityAlert 'Microsoft.Insights/metricAlerts@2026-01-01' = if (availabilityTest) {
  name: 'availability-${token}'
  location: 'global'
  tags: tags
  properties: {
    description: 'The health address failed from two places or more: the app does not answer, or it cannot reach its storage.'
    severity: 1
    enabled: true
    scopes: [healthTest.id, applicationInsightsId]
    evaluationFrequency: 'PT5M'
    windowSize: availabilityWindow
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria'
      webTestId: healthTest.id
      componentId: applicationInsightsId
      failedLocationCount: 2
    }
    actions: [for id in actionGroupIds: { actionGroupId: id }]
  }
}
