#!/usr/bin/env bash
# Shows a fixed bug: runs the fix's test on the sources before the fix, and expects it to fail. docs/proof.md lists fixes and tests.
#   tools/old-bug.sh FIX TEST         for example: tools/old-bug.sh 229c1bac DefinitionAgeTest
#   tools/old-bug.sh FIX TEST LATER   removes the fix from a later commit, if the sources before the fix do not compile
set -euo pipefail
fix=${1:?the commit of the fix} test=${2:?the class of its test, or Class#method} later=${3:-}

folder=$(mktemp -d)
trap 'git worktree remove --force "$folder"' EXIT
git worktree add --quiet --detach "$folder" "${later:-$fix^}"
cd "$folder"
if [[ $later ]]; then
  git show "$fix" -- src/main src/maintain | git apply --reverse
else
  git checkout --quiet "$fix" -- src/test
fi

if mvn -B -ntp -q -Dspotless.check.skip test-compile surefire:test -Dtest="$test" < /dev/null; then
  echo "$test passes before $fix: it does not show the bug." >&2
  exit 1
fi
if ! grep -qs '<testcase' target/surefire-reports/TEST-*.xml; then
  echo "$test could not be run before $fix." >&2
  exit 2
fi
echo "$test fails before $fix, which shows the bug."
