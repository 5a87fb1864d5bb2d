-- older-builds: may-run
-- What is wrong with the service as a whole, and since when whoever runs it knows. A row goes once it is told that it is over.
CREATE TABLE operator_alarm (
    kind     TEXT NOT NULL CHECK (kind IN ('engine_stopped', 'pages_changed', 'books_frozen', 'delivery_failing')),
    -- Of several things of a kind which: a country and page; else empty.
    subject  TEXT NOT NULL,
    began_at TIMESTAMPTZ NOT NULL,
    -- Empty while it may still pass by itself.
    told_at  TIMESTAMPTZ,
    -- Since when it is no longer so.
    gone_at  TIMESTAMPTZ,
    PRIMARY KEY (kind, subject)
);
-- Alarms look for what was given up lately.
CREATE INDEX outbox_dead ON outbox (dead_at) WHERE dead_at IS NOT NULL;
