// Like private.bicepparam, but in two existing subnets of yours, with a central DNS.
// AZURE_ENV_NAME=numera AZURE_LOCATION=westeurope NUMERA_ALERT_EMAIL=operations@example.com \
//   NUMERA_APP_SUBNET_ID=/subscriptions/... NUMERA_PRIVATE_ENDPOINT_SUBNET_ID=/subscriptions/... \
//   az deployment sub create --location westeurope --parameters infra/profiles/own-network.bicepparam
using '../main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME')
param location = readEnvironmentVariable('AZURE_LOCATION')
param alertEmail = readEnvironmentVariable('NUMERA_ALERT_EMAIL')
param privateInbound = true
param appSubnetId = readEnvironmentVariable('NUMERA_APP_SUBNET_ID')
param privateEndpointSubnetId = readEnvironmentVariable('NUMERA_PRIVATE_ENDPOINT_SUBNET_ID')
param privateDns = false
