# Does the same as postprovision.sh.
if ($env:NUMERA_ROLES_KNOWN_TO -ne $env:NUMERA_HOST_ACCOUNT) {
  Write-Host "Waiting 90 s until the new roles are known to $env:NUMERA_HOST_ACCOUNT."
  Start-Sleep -Seconds 90
  azd env set NUMERA_ROLES_KNOWN_TO $env:NUMERA_HOST_ACCOUNT
}
