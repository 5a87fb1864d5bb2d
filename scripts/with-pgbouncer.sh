#!/usr/bin/env bash
# Runs a command with SOONER_TEST_POSTGRES naming a PgBouncer in transaction mode before a private
# PostgreSQL. Both are removed afterwards. Debian's PgBouncer (1.18) supports no prepared statements,
# so the URL disables named ones. For the store's tests:
#   scripts/with-pgbouncer.sh cargo nextest run -p sooner-store
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if [[ "${1:-}" != --behind ]]; then
  exec scripts/with-postgres.sh "${BASH_SOURCE[0]}" --behind "$@"
fi
shift
bouncer="$(command -v pgbouncer || echo /usr/sbin/pgbouncer)"
[[ -x "$bouncer" ]] || die "PgBouncer is missing: apt-get install pgbouncer"

folder="$(mktemp -d "${TMPDIR:-/tmp}/sooner-bouncer.XXXXXXXX")"
chmod 711 "$folder"
port=$((30000 + RANDOM % 2000))
server="${SOONER_TEST_POSTGRES#*@}"
server="${server%%/*}"
cat >"$folder/pgbouncer.ini" <<INI
[databases]
* = host=${server%%:*} port=${server##*:}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
pool_mode = transaction
# The one start-up parameter of sqlx that PgBouncer does not know.
ignore_startup_parameters = extra_float_digits
max_client_conn = 2000
default_pool_size = 12
server_idle_timeout = 2
server_reset_query =
INI
# "any" accepts no user from the client, so this names one.
sed -i "s/^\(\* = .*\)/\1 user=sooner/" "$folder/pgbouncer.ini"
as_user=()
if [[ "$(id -u)" == 0 ]]; then
  as_user=(runuser -u postgres --)
fi
chmod 644 "$folder/pgbouncer.ini"
"${as_user[@]}" "$bouncer" -q "$folder/pgbouncer.ini" >"$folder/log" 2>&1 &
bouncing=$!
child=""
cleanup() {
  [[ -z "$child" ]] || stop_gently "$child" || true
  stop_gently "$bouncing" || true
  rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
for _ in $(seq 50); do
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
  kill -0 "$bouncing" 2>/dev/null || { cat "$folder/log" >&2; die "PgBouncer did not start."; }
  sleep 0.1
done
export SOONER_TEST_POSTGRES="postgres://sooner@127.0.0.1:$port/postgres?statement-cache-capacity=0"
"$@" &
child=$!
code=0
wait "$child" || code=$?
child=""
exit "$code"
