#!/bin/bash
# Runs once, when the primary's folder is created. Adds a role for the standby, and a slot that
# retains the log until the standby has fetched it.
set -euo pipefail
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/replication)" <<'END'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
SELECT pg_create_physical_replication_slot('two');
-- Takes effect at the next start, which follows at once. Then a commit waits until the standby has it.
ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (two)';
END
echo "host replication replication samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
