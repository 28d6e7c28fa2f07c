#!/bin/sh
# Registers the provider Microsoft.App, to which a private network delegates the app's subnet. No deployment registers it, but each
# subscription needs it once. If the Azure CLI cannot register it, this prints the command.
set -eu

if [ "${NUMERA_PRIVATE_NETWORK:-false}" = true ] || [ "${NUMERA_PRIVATE_INBOUND:-false}" = true ] || [ -n "${NUMERA_APP_SUBNET_ID:-}" ]; then
  if ! az provider register --namespace Microsoft.App --wait --subscription "$AZURE_SUBSCRIPTION_ID"; then
    echo "Microsoft.App is not registered by this script: the Azure CLI is missing, not signed in, or refused. Where the deployment of the" >&2
    echo "network fails, run: az provider register --namespace Microsoft.App --wait --subscription $AZURE_SUBSCRIPTION_ID" >&2
  fi
fi
