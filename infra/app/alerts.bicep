metadata description = 'What an operator is woken for. docs/operations.md says what to do about each.'

@description('Azure region.')
param location string

@description('Tags of every resource.')
param tags object

@description('Suffix that makes names unique.')
@minLength(5)
param token string

@description('Workspace that the log alerts query.')
param workspaceId string

@description('Application Insights component of the availability test.')
param applicationInsightsId string

@description('Queue that unusable messages end in.')
param poisonQueueName string

@description('Address that the availability test asks.')
param healthUrl string

@description('Address that alerts are mailed to; empty: nobody.')
param email string

@description('Whether the health address is asked from outside.')
param availabilityTest bool

// The app writes this text once for each process and period when a sequence has passed the share of its range that its definition says (90 % by default).
var rangeWarning = 'of the range is used'

// The regions that the health address is asked from, by Application Insights' own names.
var testLocations = ['emea-nl-ams-azr', 'emea-gb-db3-azr', 'us-va-ash-azr', 'us-ca-sjc-azr', 'apac-sg-sin-azr']

var logAlerts = [
  {
    name: 'poison-queue-not-empty'
    description: 'A message could not be numbered and lies in ${poisonQueueName}.'
    severity: 2
    window: 'P1D'
    threshold: 0
    resolves: true
    query: 'StorageQueueLogs | where OperationName == "PutMessage" and StatusText == "Success" and Uri contains "/${poisonQueueName}/messages"'
  }
  {
    name: 'contention'
    description: 'Calls were answered 503, or batches failed and were tried again: contention, overload, or storage in trouble.'
    severity: 2
    window: 'PT15M'
    threshold: 5
    resolves: true
    query: 'AppRequests | where ResultCode == "503" or (Name has "NumberBatch" and Success == false)'
  }
  {
    name: 'range-nearly-used'
    description: 'A sequence has handed out nearly all its numbers: 90 %, or what its definition says. The log line names it.'
    severity: 3
    window: 'PT15M'
    threshold: 0
    resolves: false
    query: 'AppTraces | where Message contains "${rangeWarning}"'
  }
]

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

resource logAlertRules 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [for alert in logAlerts: {
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
    // The tables exist only once something was logged.
    skipQueryValidation: true
    evaluationFrequency: 'PT15M'
    windowSize: alert.window
    autoMitigate: alert.resolves
    criteria: {
      allOf: [
        {
          query: alert.query
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: alert.threshold
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    actions: { actionGroups: actionGroupIds }
  }
}]

resource healthTest 'Microsoft.Insights/webtests@2022-06-15' = if (availabilityTest) {
  name: 'health-${token}'
  location: location
  // The link is how Application Insights finds its tests.
  tags: union(tags, { 'hidden-link:${applicationInsightsId}': 'Resource' })
  kind: 'standard'
  properties: {
    SyntheticMonitorId: 'health-${token}'
    Name: 'Numera health'
    Kind: 'standard'
    Enabled: true
    Frequency: 300
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

resource availabilityAlert 'Microsoft.Insights/metricAlerts@2018-03-01' = if (availabilityTest) {
  name: 'availability-${token}'
  location: 'global'
  tags: tags
  properties: {
    description: 'The health address failed from two places or more: the app does not answer, or it cannot reach its storage.'
    severity: 1
    enabled: true
    scopes: [healthTest.id, applicationInsightsId]
    evaluationFrequency: 'PT1M'
    windowSize: 'PT5M'
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
