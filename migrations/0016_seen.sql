-- What was seen for a task, for its page: looks by the hour and calendar, each time a day stood on a list, and which
-- calendars answered which task from when to when. A look writes no row per task (ADR 21).

-- Looks of one hour at one calendar, added to with every batch.
CREATE TABLE look_hour (
    calendar_key   TEXT NOT NULL,
    hour           TIMESTAMPTZ NOT NULL,
    -- What the calendar had counted before this hour's first look: with it, part of an hour can be told.
    counted_before BIGINT NOT NULL,
    -- Looks that answered every task of the calendar.
    looks          BIGINT NOT NULL,
    -- Looks whose list was one account's own, or empty and not believed.
    alone          BIGINT NOT NULL,
    -- Looks the portal did not answer.
    failures       BIGINT NOT NULL,
    -- Days that appeared.
    slots          BIGINT NOT NULL,
    -- Milliseconds all answers took together, by the wall's clock.
    took_ms        BIGINT NOT NULL,
    -- The earliest day any list of the hour showed.
    earliest       DATE,
    PRIMARY KEY (calendar_key, hour)
);
CREATE INDEX look_hour_hour ON look_hour (hour);

-- A day on a calendar's list, from the look that first showed it to the one that showed it no longer.
CREATE TABLE sighting (
    calendar_key TEXT NOT NULL REFERENCES calendar (key),
    facility     INTEGER NOT NULL,
    day          DATE NOT NULL,
    seen_at      TIMESTAMPTZ NOT NULL,
    gone_at      TIMESTAMPTZ
);
CREATE UNIQUE INDEX sighting_open ON sighting (calendar_key, day) WHERE gone_at IS NULL;
CREATE INDEX sighting_seen ON sighting (calendar_key, seen_at, day);

-- A calendar answers a task: kept by triggers on task.counted, which says the same of the present alone.
CREATE TABLE watch (
    task_id      UUID NOT NULL REFERENCES task (id),
    calendar_key TEXT NOT NULL,
    since        TIMESTAMPTZ NOT NULL,
    until        TIMESTAMPTZ,
    -- What the calendar had counted then.
    looks_from   BIGINT NOT NULL,
    looks_to     BIGINT
);
CREATE INDEX watch_task ON watch (task_id, since);

-- When counted was written, in portal time.
ALTER TABLE task ADD COLUMN counted_at TIMESTAMPTZ;

-- What a user says after a success, once per task; without stars it was waved away.
CREATE TABLE rating (
    task_id  UUID PRIMARY KEY REFERENCES task (id),
    user_id  UUID NOT NULL REFERENCES users (id),
    stars    INTEGER CHECK (stars BETWEEN 1 AND 5),
    comment  TEXT,
    rated_at TIMESTAMPTZ NOT NULL,
    CHECK (stars IS NOT NULL OR comment IS NULL)
);
CREATE INDEX rating_user ON rating (user_id);
