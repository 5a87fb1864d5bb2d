#!/usr/bin/env bash
# The same stories, kills and properties as `make test`, at sizes that take hours. SOONER_CASES and SOONER_SEED choose others.
# Arguments go to nextest (a filter, for instance).
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh test
export SOONER_CASES="${SOONER_CASES:-20000}" PROPTEST_CASES="${PROPTEST_CASES:-20000}"
scripts/with-postgres.sh cargo nextest run --locked --workspace --no-fail-fast "$@"
