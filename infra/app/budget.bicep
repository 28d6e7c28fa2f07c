metadata description = 'A budget of the resource group: a mail when it is likely to be exceeded, and when it is. It stops nothing.'

@description('Suffix that makes names unique.')
@minLength(5)
param token string

@description('Money a month, in the currency of the bill.')
@minValue(1)
param amount int

@description('First day of the month from which it counts, such as 2027-01-01.')
@minLength(10)
@maxLength(10)
param from string

@description('Address that is mailed to.')
@minLength(3)
param email string

resource budget 'Microsoft.Consumption/budgets@2024-08-01' = {
  name: 'numera-${token}'
  properties: {
    category: 'Cost'
    amount: amount
    timeGrain: 'Monthly'
    timePeriod: { startDate: from }
    notifications: {
      likely: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: [email]
      }
      exceeded: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Actual'
        contactEmails: [email]
      }
    }
  }
}
