#!/usr/bin/env bash
# Checks infra/ with Azure's Bicep compiler, without Azure: the templates compile and lint without warnings and are formatted, and each
# profile expands to its snapshot (the resources that a deployment would create). Commit a changed snapshot with the templates that changed it.
#   tools/check-infra.sh [FOLDER]           checks; exit code 1 if it finds anything
#   tools/check-infra.sh --write [FOLDER]   formats the files and rewrites the snapshots
#   tools/check-infra.sh --version          prints the compiler version of the snapshots; no other version compares them
set -euo pipefail

VERSION=0.49.2
[ "${1:-}" != --version ] || exec echo "$VERSION"
write=
if [ "${1:-}" = --write ]; then
  write=yes
  shift
fi
home=$(cd "$(dirname "$0")/.." && pwd)
cd "${1:-$home/infra}"

bicep=$(command -v bicep || echo "$home/../shared/tools/bicep")
if ! [ -x "$bicep" ]; then
  echo "Skipped: there is no Bicep compiler on the PATH."
  exit 0
fi
version=$("$bicep" --version)
if [[ $version != *"version $VERSION "* ]]; then
  # A newer compiler may warn of more and expand differently, so only its errors count.
  if ! errors=$("$bicep" build --no-restore --stdout main.bicep 2>&1 > /dev/null); then
    printf '%s\n' "$errors"
    exit 1
  fi
  echo "Skipped: $version is not $VERSION, and finds no error."
  exit 0
fi

# The settings that the profiles read, and the properties of a deployment.
nil=00000000-0000-0000-0000-000000000000
subnets=/subscriptions/$nil/resourceGroups/rg-network/providers/Microsoft.Network/virtualNetworks/vnet/subnets
export AZURE_ENV_NAME=numera AZURE_LOCATION=westeurope NUMERA_ALERT_EMAIL=operations@example.com
export NUMERA_APP_SUBNET_ID=$subnets/app NUMERA_PRIVATE_ENDPOINT_SUBNET_ID=$subnets/endpoints
deployment=(--subscription-id "$nil" --tenant-id "$nil" --location westeurope --deployment-name numera)

if [ "$write" ]; then
  "$bicep" format --pattern '**/*.bicep*'
  for profile in profiles/*.bicepparam; do "$bicep" snapshot "$profile" --mode overwrite "${deployment[@]}"; done
  # The compiler writes the outputs in a different order each time.
  node -e '
    const fs = require("node:fs");
    for (const file of process.argv.slice(1)) {
      const snapshot = JSON.parse(fs.readFileSync(file, "utf8"));
      snapshot.outputs = Object.fromEntries(Object.entries(snapshot.outputs ?? {}).sort());
      fs.writeFileSync(file, JSON.stringify(snapshot, null, 2) + "\n");
    }' profiles/*.snapshot.json
  exit
fi

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
found=0

# Runs a command that prints nothing on success.
silently() {
  local output
  if ! output=$("$@" 2>&1) || [ -n "$output" ]; then
    printf '%s\n' "$output"
    found=1
  fi
}

cp -r . "$temp/formatted"
(cd "$temp/formatted" && "$bicep" format --pattern '**/*.bicep*')
silently diff -ru . "$temp/formatted"
# The validation also compiles and lints.
for profile in profiles/*.bicepparam; do silently "$bicep" snapshot "$profile" --mode validate "${deployment[@]}"; done
exit "$found"
