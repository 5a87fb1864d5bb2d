-- What operators did, and which pages of the portal could not be read.

-- One row per change made at the command line, written in the change's own transaction. Never edited (see triggers).
CREATE TABLE audit (
    id      UUID PRIMARY KEY,
    at      TIMESTAMPTZ NOT NULL,
    -- The system user who ran it.
    actor   TEXT NOT NULL,
    -- The subcommand, e.g. tasks release.
    command TEXT NOT NULL,
    -- What it changed: an id, or what stands for one.
    subject TEXT NOT NULL,
    -- Its arguments and what came of it; no secrets.
    data    JSONB NOT NULL
);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_subject ON audit (subject, at);

-- The last way in which each kind of page was not as known.
CREATE TABLE parse_failure (
    page     TEXT PRIMARY KEY,
    -- Which expectation failed, and a hash of the page's tags without its text.
    what     TEXT NOT NULL,
    shape    TEXT NOT NULL,
    count    BIGINT NOT NULL,
    first_at TIMESTAMPTZ NOT NULL,
    last_at  TIMESTAMPTZ NOT NULL
);

-- A task that support released no longer keeps others from the group, though it is only stopped.
DROP INDEX task_one_holder;
CREATE UNIQUE INDEX task_one_holder ON task (country, portal_schedule_id)
    WHERE deleted_at IS NULL AND (status IN ('submitted', 'processing', 'active')
      OR (status = 'stopped' AND (reason IS NULL OR reason <> 'released_by_operator')));
