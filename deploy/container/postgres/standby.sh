#!/bin/bash
# The standby: copies the primary once, and follows it from then on. After it was promoted it stays a primary.
set -euo pipefail
export PGPASSWORD
PGPASSWORD="$(cat /run/secrets/replication)"
from="host=${PRIMARY_HOST:-postgres-one} port=${PRIMARY_PORT:-5432} user=replication application_name=two"
if [[ ! -s "$PGDATA/PG_VERSION" ]]; then
  # One that was cut off is begun anew.
  find "$PGDATA" -mindepth 1 -delete
  pg_basebackup --dbname="$from" --pgdata="$PGDATA" --write-recovery-conf --slot=two --wal-method=stream
  chmod 700 "$PGDATA"
fi
exec postgres -D "$PGDATA" "$@"
