#!/usr/bin/env bash
# Runs a command with SOONER_TEST_POSTGRES naming a private PostgreSQL, which is removed afterwards.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ -z "${SOONER_TEST_POSTGRES:-}" ]] || exec "$@"

free_port() {
  local port
  for _ in $(seq 50); do
    port=$((20000 + RANDOM % 10000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port" && return; }
  done
  die "No free port for PostgreSQL."
}

# Not in a folder that only root may enter, because the server may run as another user.
SOONER_POSTGRES_DIR="$(mktemp -u "${TMPDIR:-/tmp}/sooner-pg.XXXXXXXX")"
SOONER_POSTGRES_PORT="$(free_port)"
export SOONER_POSTGRES_DIR SOONER_POSTGRES_PORT
child=""
cleanup() {
  [[ -z "$child" ]] || stop_gently "$child" || true
  scripts/postgres.sh stop || true
}
trap cleanup EXIT
trap 'exit 130' INT TERM
SOONER_TEST_POSTGRES="$(scripts/postgres.sh start)"
export SOONER_TEST_POSTGRES
# In the background, so that the trap handles a signal at once.
"$@" &
child=$!
code=0
wait "$child" || code=$?
child=""
exit "$code"
