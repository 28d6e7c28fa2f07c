#!/bin/sh
# A new role takes about a minute until storage knows it, and a deployment before that gets 403, which azd does not try again. So the
# first time, and after a change of the host's account, this waits.
set -eu

if [ "${NUMERA_ROLES_KNOWN_TO:-}" != "$NUMERA_HOST_ACCOUNT" ]; then
  echo "Waiting 90 s until the new roles are known to $NUMERA_HOST_ACCOUNT."
  sleep 90
  azd env set NUMERA_ROLES_KNOWN_TO "$NUMERA_HOST_ACCOUNT"
fi
