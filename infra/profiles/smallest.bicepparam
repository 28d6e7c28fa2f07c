// For trying Numera cheaply, and deleting it afterwards. Nothing protects the data: use it only for numbers that may be lost.
// AZURE_ENV_NAME=numera-try AZURE_LOCATION=westeurope \
//   az deployment sub create --location westeurope --parameters infra/profiles/smallest.bicepparam
using '../main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME')
param location = readEnvironmentVariable('AZURE_LOCATION')
param storageRedundancy = 'Standard_LRS'
param storageLogs = 'none'
param deleteLock = false
param backupSchedule = 'off'
param backupImmutableInDays = 0
param console = 'on'
