-- older-builds: may-run
-- What operators did, each row with a hash over itself and the row before: one that is changed or taken out shows.

-- The database's own time and user, whatever the command was told.
ALTER TABLE audit ADD COLUMN written_at TIMESTAMPTZ;
ALTER TABLE audit ADD COLUMN written_by TEXT;
-- Empty in rows of builds before.
ALTER TABLE audit ADD COLUMN number BIGINT;
ALTER TABLE audit ADD COLUMN hash BYTEA;
CREATE INDEX audit_number ON audit (number);

-- One row where time is made up, as in demos and tests: only there may a command name another instant than now.
CREATE TABLE made_up_time (
    id INTEGER PRIMARY KEY CHECK (id = 1)
);
