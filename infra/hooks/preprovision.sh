#!/bin/sh
# A private network delegates the app's subnet to Microsoft.App, and no deployment registers that provider. It has to be done once for a
# subscription; here it is done where the Azure CLI can, and named where it cannot.
set -eu

if [ "${NUMERA_PRIVATE_NETWORK:-false}" = true ] || [ "${NUMERA_PRIVATE_INBOUND:-false}" = true ] || [ -n "${NUMERA_APP_SUBNET_ID:-}" ]; then
  if ! az provider register --namespace Microsoft.App --wait --subscription "$AZURE_SUBSCRIPTION_ID"; then
    echo "Microsoft.App is not registered by this script: the Azure CLI is missing, not signed in, or refused. Where the deployment of the" >&2
    echo "network fails, run: az provider register --namespace Microsoft.App --wait --subscription $AZURE_SUBSCRIPTION_ID" >&2
  fi
fi
