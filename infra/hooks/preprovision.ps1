# Does the same as preprovision.sh.
if ($env:NUMERA_PRIVATE_NETWORK -eq 'true' -or $env:NUMERA_PRIVATE_INBOUND -eq 'true' -or $env:NUMERA_APP_SUBNET_ID) {
  $registered = $false
  if (Get-Command az -ErrorAction SilentlyContinue) {
    az provider register --namespace Microsoft.App --wait --subscription $env:AZURE_SUBSCRIPTION_ID
    $registered = $LASTEXITCODE -eq 0
  }
  if (-not $registered) {
    Write-Warning "Microsoft.App is not registered by this script: the Azure CLI is missing, not signed in, or refused. Where the deployment of the network fails, run: az provider register --namespace Microsoft.App --wait --subscription $env:AZURE_SUBSCRIPTION_ID"
  }
}
exit 0
