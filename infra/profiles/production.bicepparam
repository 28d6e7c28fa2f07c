// Callers use keys and come from the internet. One instance stays warm, the health address is tested from outside, and alerts are mailed.
// AZURE_ENV_NAME=numera AZURE_LOCATION=westeurope NUMERA_ALERT_EMAIL=operations@example.com \
//   az deployment sub create --location westeurope --parameters infra/profiles/production.bicepparam
using '../main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME')
param location = readEnvironmentVariable('AZURE_LOCATION')
param alertEmail = readEnvironmentVariable('NUMERA_ALERT_EMAIL')
param alwaysReadyInstances = 1
param availabilityTest = true
