#!/usr/bin/env bash
# Sets one key on each function that a role needs, or deletes it:
#
#   tools/keys.sh set reader anna-2027       prints the key; the host generates its value
#   tools/keys.sh delete reader anna-2026    deletes the key from every function, whatever its role was
#
# Needs AZURE_RESOURCE_GROUP and NUMERA_APP_NAME (azd env get-values prints them), and a signed-in az. See docs/security.md.
set -euo pipefail

READER="Me ReadState ParseText Find ListAttention Preview GetDefinition ListSequences ListPeriods ListChanges ReadLedger CheckLedger ListClosings ListBatches ReadBatch ListImports ReadImport ListPoison"
CLERK="$READER Allocate ChangeStatus UploadBatch UploadCsv RequeuePoison"
OWNER="$CLERK ImportNumbers InspectImport AcceptGap PutDefinition PatchDefinition Advance Suspend Resume Retire CloseDates DropPoison"

usage() {
  echo "usage: tools/keys.sh set|delete reader|clerk|owner NAME" >&2
  exit 2
}

[ $# -eq 3 ] || usage
case $2 in
  reader) functions=$READER ;;
  clerk) functions=$CLERK ;;
  owner) functions=$OWNER ;;
  *) usage ;;
esac
name=$3
if ! [[ $name =~ ^[A-Za-z0-9-]{1,100}$ ]] || [ "$name" = default ]; then
  echo "A key's name has letters, digits and hyphens, and says whose it is; default is the host's own. Not: $name" >&2
  exit 2
fi
: "${AZURE_RESOURCE_GROUP:?is not set: eval \"\$(azd env get-values | sed 's/^/export /')\"}"
: "${NUMERA_APP_NAME:?is not set: eval \"\$(azd env get-values | sed 's/^/export /')\"}"

keys() {
  local verb=$1
  shift
  az functionapp function keys "$verb" -g "$AZURE_RESOURCE_GROUP" -n "$NUMERA_APP_NAME" "$@"
}

set_keys() {
  local first=${functions%% *} value function
  # An existing key keeps its value, so that a repeated run completes an interrupted one.
  value=$(keys list --function-name "$first" --query "\"$name\"" -o tsv)
  if [ -z "$value" ]; then
    keys set --function-name "$first" --key-name "$name" -o none
    value=$(keys list --function-name "$first" --query "\"$name\"" -o tsv)
  fi
  if [ -z "$value" ]; then
    echo "The host made no key $name for $first." >&2
    exit 1
  fi
  for function in $functions; do
    keys set --function-name "$function" --key-name "$name" --key-value "$value" -o none
    echo "$function" >&2
  done
  echo "$value"
}

delete_keys() {
  local function present
  for function in $OWNER; do
    present=$(keys list --function-name "$function" --query "\"$name\"" -o tsv)
    if [ -n "$present" ]; then
      keys delete --function-name "$function" --key-name "$name" -o none
      echo "$function" >&2
    fi
  done
}

case $1 in
  set) set_keys ;;
  delete) delete_keys ;;
  *) usage ;;
esac
