#!/usr/bin/env bash
# The same stories, kills and properties as `make test`, at sizes that take hours: SOONER_SCALE multiplies the cases.
# Arguments go to nextest (a filter, for instance).
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh test
export SOONER_SCALE="${SOONER_SCALE:-100}"
export PROPTEST_CASES="${PROPTEST_CASES:-20000}"
scripts/with-postgres.sh cargo nextest run --locked --workspace --no-fail-fast "$@"
