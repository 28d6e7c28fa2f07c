// Nothing has a public address: callers, storage and deployments are in a network that this deployment creates.
// AZURE_ENV_NAME=numera AZURE_LOCATION=westeurope NUMERA_ALERT_EMAIL=operations@example.com \
//   az deployment sub create --location westeurope --parameters infra/profiles/private.bicepparam
using '../main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME')
param location = readEnvironmentVariable('AZURE_LOCATION')
param alertEmail = readEnvironmentVariable('NUMERA_ALERT_EMAIL')
param privateInbound = true
