#!/bin/sh
# Runs a private PostgreSQL for tests. `postgres.sh start` prints its URL. `postgres.sh stop` ends it
# and removes its data. It needs the server programs of Debian's package `postgresql`. The server
# runs as an ordinary user even if root calls it.
set -eu

dir="${SOONER_POSTGRES_DIR:-${TMPDIR:-/tmp}/sooner-postgres-$(id -u)}"
port="${SOONER_POSTGRES_PORT:-54329}"
# `scripts/test.sh` makes short tests faster with more settings. Benchmarks run without them.
settings="${SOONER_POSTGRES_SETTINGS:-}"
url="postgres://sooner@127.0.0.1:$port/postgres"

bin=""
for candidate in /usr/lib/postgresql/*/bin; do
    [ -x "$candidate/initdb" ] && bin="$candidate"
done
[ -n "$bin" ] || bin="$(dirname "$(command -v initdb 2>/dev/null || echo /missing/initdb)")"
if [ ! -x "$bin/initdb" ]; then
    echo "PostgreSQL is missing: apt-get install postgresql" >&2
    exit 1
fi

as_user() {
    if [ "$(id -u)" -ne 0 ]; then
        "$@"
    elif id postgres >/dev/null 2>&1; then
        runuser -u postgres -- "$@"
    else
        runuser -u nobody -- "$@"
    fi
}

running() {
    [ -f "$dir/data/postmaster.pid" ] && as_user "$bin/pg_ctl" -D "$dir/data" status >/dev/null 2>&1
}

start() {
    if running; then
        echo "$url"
        return
    fi
    rm -rf "$dir"
    mkdir -p "$dir"
    chmod 700 "$dir"
    if [ "$(id -u)" -eq 0 ]; then
        chown "$(id postgres >/dev/null 2>&1 && echo postgres || echo nobody)" "$dir"
    fi
    cd "$dir"
    as_user "$bin/initdb" -D "$dir/data" -U sooner -A trust -E UTF8 --locale=C -N >"$dir/initdb.log" 2>&1 ||
        { cat "$dir/initdb.log" >&2; exit 1; }
    as_user "$bin/pg_ctl" -D "$dir/data" -w -l "$dir/data/server.log" -o "-c listen_addresses=127.0.0.1 -c port=$port \
        -c unix_socket_directories=$dir -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
        -c max_connections=400 -c shared_buffers=128MB $settings" start >/dev/null ||
        { cat "$dir/data/server.log" >&2; exit 1; }
    echo "$url"
}

stop() {
    if running; then
        as_user "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null
    fi
    rm -rf "$dir"
}

case "${1:-}" in
    start) start ;;
    stop) stop ;;
    *) echo "usage: postgres.sh start|stop" >&2; exit 2 ;;
esac
