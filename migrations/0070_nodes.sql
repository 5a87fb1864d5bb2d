-- older-builds: may-run
-- What each running server does, as it said last; a row that was not renewed for a day is forgotten.
CREATE TABLE node (
    name     TEXT PRIMARY KEY,
    -- With commas between: web, engine, delivery.
    roles    TEXT NOT NULL,
    version  TEXT NOT NULL,
    -- The portal's host: one for all servers of a database, since tasks do not say which host they are of.
    host     TEXT NOT NULL,
    seen_at  TIMESTAMPTZ NOT NULL
);
-- Open pages look for lists that moved.
CREATE INDEX calendar_moved ON calendar (moved_at);
-- Those that are gone are found by it (store/forget.rs).
CREATE INDEX node_seen ON node (seen_at);
