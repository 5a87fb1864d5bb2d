-- older-builds: may-run
-- Whether builds that do not know a migration may run beside it: its file says so in its first line.
ALTER TABLE migration ADD COLUMN older_may_run BOOLEAN NOT NULL DEFAULT FALSE;
