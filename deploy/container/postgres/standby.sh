#!/bin/bash
# Runs the standby: copies the primary once, and then follows it. After a promotion it stays a
# primary.
set -euo pipefail
export PGPASSWORD
PGPASSWORD="$(cat /run/secrets/replication)"
from="host=${PRIMARY_HOST:-postgres-one} port=${PRIMARY_PORT:-5432} user=replication application_name=two"
if [[ ! -s "$PGDATA/PG_VERSION" ]]; then
  # An interrupted copy starts again.
  find "$PGDATA" -mindepth 1 -delete
  pg_basebackup --dbname="$from" --pgdata="$PGDATA" --write-recovery-conf --slot=two --wal-method=stream
  chmod 700 "$PGDATA"
fi
exec postgres -D "$PGDATA" "$@"
