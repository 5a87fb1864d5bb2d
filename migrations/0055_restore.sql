-- older-builds: may-run
-- What this database was restored from. In a backup the row says when it was made.
CREATE TABLE restore (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    -- What happened after this is missing.
    backup_at     TIMESTAMPTZ NOT NULL,
    -- Empty in a backup.
    restored_at   TIMESTAMPTZ,
    -- Until then nothing new is set aside or refunded: what left balances by card may be missing.
    cards_read_at TIMESTAMPTZ
);
