#!/usr/bin/env bash
# The same stories, kills and properties as `make test`, at sizes that take hours. SOONER_CASES and SOONER_SEED choose others.
# Arguments go to nextest (a filter, for instance).
#   scripts/reliability.sh bad-days   the week in which everything goes wrong, at full size, and kill -9 in rounds:
#                                     SOONER_INTENTS, SOONER_KILLS, SOONER_LOGINS, SOONER_KILL_ROUNDS choose other sizes
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh test
if [[ "${1:-}" == bad-days ]]; then
  shift
  export SOONER_INTENTS="${SOONER_INTENTS:-10000}" SOONER_KILLS="${SOONER_KILLS:-2000}" SOONER_LOGINS="${SOONER_LOGINS:-100}"
  export SOONER_KILL_ROUNDS="${SOONER_KILL_ROUNDS:-10}" SOONER_SEED="${SOONER_SEED:-$RANDOM}"
  # Kill points and seeded bugs exist in debug builds alone; optimised, a virtual week takes minutes.
  export CARGO_TARGET_DIR=target/reliability CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
  say "SOONER_SEED=$SOONER_SEED replays this."
  exec cargo nextest run --locked -p sooner-engine --no-fail-fast --no-capture \
    -E 'test(/^week::/) + binary(kills)' "$@"
fi
if [[ "${1:-}" == verdicts ]]; then
  shift
  # Why lists were empty, over ten seeds of four days: the table of docs/BENCHMARKS.md. SOONER_SEED is the first of
  # SOONER_SEEDS seeds; SOONER_VERDICTS_SHOW=1 prints what was around each wrong judgement.
  export CARGO_TARGET_DIR=target/reliability CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
  export SOONER_VERDICTS=full
  exec cargo nextest run --locked -p sooner-engine --no-capture -E 'test(why_a_list_was_empty)' "$@"
fi
export SOONER_CASES="${SOONER_CASES:-20000}" PROPTEST_CASES="${PROPTEST_CASES:-20000}"
scripts/with-postgres.sh cargo nextest run --locked --workspace --no-fail-fast "$@"
