// Callers come from the internet, with keys: one instance is kept warm, the health address is tested from outside, alerts are mailed.
// AZURE_ENV_NAME=numera AZURE_LOCATION=westeurope NUMERA_ALERT_EMAIL=operations@example.com \
//   az deployment sub create --location westeurope --parameters infra/profiles/production.bicepparam
using '../main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME')
param location = readEnvironmentVariable('AZURE_LOCATION')
param alertEmail = readEnvironmentVariable('NUMERA_ALERT_EMAIL')
param alwaysReadyInstances = 1
param availabilityTest = true
