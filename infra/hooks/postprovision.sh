#!/bin/sh
# Waits after the first provisioning, and after a change of the host's account. Storage takes about a minute to learn a new role. A
# deployment before that gets 403, and azd does not retry it.
set -eu

if [ "${NUMERA_ROLES_KNOWN_TO:-}" != "$NUMERA_HOST_ACCOUNT" ]; then
  echo "Waiting 90 s until the new roles are known to $NUMERA_HOST_ACCOUNT."
  sleep 90
  azd env set NUMERA_ROLES_KNOWN_TO "$NUMERA_HOST_ACCOUNT"
fi
