#!/usr/bin/env bash
# Runs the stories, kills and properties of `make test` at sizes that take hours. SOONER_CASES and
# SOONER_SEED change them. Arguments go to nextest (a filter, for example).
#   scripts/reliability.sh money       promises 1 to 8 of the ledger at full size, on both databases:
#                                      crowds, holds, kill -9, cut logs, full disks, vanishing
#                                      clients, card payments, codes. SOONER_OPS (1000000 on demand),
#                                      SOONER_HOLDS, SOONER_KILLS, SOONER_CUTS, SOONER_WINDOWS,
#                                      SOONER_CANCELS, SOONER_PAYMENTS and SOONER_CODES set the sizes
#   scripts/reliability.sh bad-days    the week in which everything goes wrong, at full size, and
#                                      kill -9 in rounds. SOONER_INTENTS, SOONER_KILLS,
#                                      SOONER_LOGINS and SOONER_KILL_ROUNDS set the sizes
#   scripts/reliability.sh worlds      a family and a small operator for two weeks: the age of every
#                                      city's last poll. SOONER_WORLD_DAYS sets the length
#   scripts/reliability.sh failover    two PostgreSQL servers: the primary is killed or the standby
#                                      promoted at every point of a booking
#   scripts/reliability.sh conditions  the classification of empty lists (docs/BENCHMARKS.md)
#   scripts/reliability.sh serve-kills kill -9 of `sooner serve` at random moments beside a running
#                                      sandbox. SOONER_KILLS and SOONER_SEED set the size
#   scripts/reliability.sh browser     the browser tests in all listed combinations of language,
#                                      colour scheme and width
#   scripts/reliability.sh contract    the contract tester at full size: SOONER_CASES per operation,
#                                      SOONER_SEED
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh test
if [[ "${1:-}" == contract ]]; then
  exec scripts/contract.sh full
fi
if [[ "${1:-}" == serve-kills ]]; then
  cargo build --locked -p sooner-server --bin sooner
  exec python3 scripts/kill_serve.py target/debug/sooner "${SOONER_KILLS:-200}" "${SOONER_SEED:-$RANDOM}"
fi
if [[ "${1:-}" == browser ]]; then
  SOONER_SCENES=all exec scripts/e2e.sh
fi
if [[ "${1:-}" == failover ]]; then
  shift
  SOONER_FAILOVER=full exec cargo nextest run --locked -p sooner-engine --no-fail-fast --no-capture -E 'binary(failover)' "$@"
fi
if [[ "${1:-}" == bad-days ]]; then
  shift
  export SOONER_INTENTS="${SOONER_INTENTS:-10000}" SOONER_KILLS="${SOONER_KILLS:-2000}" SOONER_LOGINS="${SOONER_LOGINS:-100}"
  export SOONER_KILL_ROUNDS="${SOONER_KILL_ROUNDS:-10}" SOONER_SEED="${SOONER_SEED:-$RANDOM}"
  # Optimised, a virtual week takes minutes.
  export CARGO_TARGET_DIR=target/reliability CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
  say "SOONER_SEED=$SOONER_SEED replays this."
  exec cargo nextest run --locked -p sooner-engine --no-fail-fast --no-capture \
    -E 'test(/^week::/) + binary(kills)' "$@"
fi
if [[ "${1:-}" == worlds ]]; then
  shift
  export SOONER_WORLD_DAYS="${SOONER_WORLD_DAYS:-14}"
  export CARGO_TARGET_DIR=target/reliability CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
  exec cargo nextest run --locked -p sooner-engine --no-fail-fast --no-capture \
    -E 'binary(stories) & test(/^(family|small_operator)::/)' "$@"
fi
if [[ "${1:-}" == money ]]; then
  shift
  export SOONER_MONEY=full SOONER_SEED="${SOONER_SEED:-$RANDOM}"
  export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target/reliability}" CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
  say "SOONER_SEED=$SOONER_SEED replays this."
  scripts/with-postgres.sh cargo nextest run --locked -p sooner-store -p sooner-server --no-fail-fast --no-capture \
    -E 'binary(money)' "$@"
  # A full disk needs its own file system. If none may be mounted, SQLite's own limit simulates it.
  small="$(mktemp -d)"
  # shellcheck disable=SC2016
  if unshare -rm mount -t tmpfs tmpfs "$small" 2>/dev/null; then
    unshare -rm bash -c 'mount -t tmpfs -o size=24m tmpfs "$1" && shift && exec "$@"' _ "$small" \
      env SOONER_SMALL_DISK="$small" cargo nextest run --locked -p sooner-store --no-capture -E 'binary(money) & test(/^full_disk::/)'
  else
    say "No small file system may be mounted here: the full disk was SQLite's own limit."
  fi
  rmdir "$small"
  exit
fi
if [[ "${1:-}" == conditions ]]; then
  shift
  # Classifies empty lists over ten seeds of four days: the table of docs/BENCHMARKS.md. SOONER_SEED
  # is the first of SOONER_SEEDS seeds. SOONER_VERDICTS_SHOW=1 prints the context of each wrong verdict.
  export CARGO_TARGET_DIR=target/reliability CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
  export SOONER_VERDICTS=full
  exec cargo nextest run --locked -p sooner-engine --no-capture -E 'test(causes_of_empty_lists)' "$@"
fi
export SOONER_CASES="${SOONER_CASES:-20000}" PROPTEST_CASES="${PROPTEST_CASES:-20000}" SOONER_SEED="${SOONER_SEED:-$RANDOM}"
export PROPTEST_RNG_SEED="$SOONER_SEED" SOONER_RATCHET=full
say "SOONER_SEED=$SOONER_SEED replays this."
scripts/with-postgres.sh cargo nextest run --locked --workspace --no-fail-fast "$@"
# Repeats the engine's stories on PostgreSQL, unless a filter is given.
# shellcheck disable=SC2016
(($#)) || scripts/with-postgres.sh bash -c 'SOONER_STAGE_POSTGRES="$SOONER_TEST_POSTGRES" exec cargo nextest run --locked --workspace --no-fail-fast "$@"' \
  _ -E 'package(sooner-engine) & binary(stories) - test(causes_of_empty_lists)'
