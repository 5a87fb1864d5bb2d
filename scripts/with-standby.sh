#!/usr/bin/env bash
# Runs a command with SOONER_TEST_POSTGRES naming a private PostgreSQL whose commits wait for a
# synchronous standby on this machine. Both are removed afterwards.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if [[ "${1:-}" != --behind ]]; then
  exec scripts/with-postgres.sh "${BASH_SOURCE[0]}" --behind "$@"
fi
shift
: "${SOONER_POSTGRES_DIR:?}" "${SOONER_POSTGRES_PORT:?}"
bin=""
for candidate in /usr/lib/postgresql/*/bin; do
  [[ -x "$candidate/pg_basebackup" ]] && bin="$candidate"
done
[[ -n "$bin" ]] || die "PostgreSQL is missing: apt-get install postgresql"
as_user=()
if [[ "$(id -u)" == 0 ]]; then
  as_user=(runuser -u postgres --)
fi
standby="$SOONER_POSTGRES_DIR/standby"
port=$((SOONER_POSTGRES_PORT + 10000))
cd "$SOONER_POSTGRES_DIR"
"${as_user[@]}" "$bin/pg_basebackup" -D "$standby" -R -X stream -c fast --no-sync \
  -d "host=127.0.0.1 port=$SOONER_POSTGRES_PORT user=sooner application_name=standby"
"${as_user[@]}" "$bin/pg_ctl" -D "$standby" -w -s -l "$standby.log" -o "-c listen_addresses=127.0.0.1 -c port=$port \
  -c unix_socket_directories=$SOONER_POSTGRES_DIR -c fsync=off -c max_connections=400" start
child=""
cleanup() {
  [[ -z "$child" ]] || stop_gently "$child" || true
  "${as_user[@]}" "$bin/pg_ctl" -D "$standby" -m immediate -s stop || true
}
trap cleanup EXIT
trap 'exit 130' INT TERM
ask() { "${as_user[@]}" "$bin/psql" -h 127.0.0.1 -p "$SOONER_POSTGRES_PORT" -U sooner -d postgres -Atqc "$1"; }
# The test server commits without waiting for its own disk. Here every commit waits for the standby's.
ask "ALTER ROLE sooner SET synchronous_commit = on"
ask "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
ask "SELECT pg_reload_conf()" >/dev/null
for _ in $(seq 100); do
  [[ "$(ask "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" == 1 ]] && break
  sleep 0.1
done
cd - >/dev/null
"$@" &
child=$!
code=0
wait "$child" || code=$?
child=""
exit "$code"
