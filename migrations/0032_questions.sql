-- A task that asks first: one question per task and day until the day vanishes. Its link carries a token, kept as SHA-256.

CREATE TABLE question (
    id              UUID PRIMARY KEY,
    task_id         UUID NOT NULL REFERENCES task (id),
    facility        INTEGER NOT NULL,
    day             DATE NOT NULL,
    -- What it is bound to: the appointment held, and the version of the criteria.
    booked_facility INTEGER,
    booked_date     DATE,
    booked_time     TEXT,
    wish_version    INTEGER NOT NULL,
    token_hash      BYTEA NOT NULL UNIQUE,
    -- Wall time, all of them: when a poll showed the day, when the first provider took the message, when its user said
    -- yes, when a booking request was committed to on that yes, when the day vanished.
    seen_at         TIMESTAMPTZ NOT NULL,
    accepted_at     TIMESTAMPTZ,
    answered_at     TIMESTAMPTZ,
    sent_at         TIMESTAMPTZ,
    gone_at         TIMESTAMPTZ,
    -- What came of the yes.
    outcome         TEXT CHECK (outcome IN ('booked', 'gone', 'not_booked', 'unknown'))
);
CREATE UNIQUE INDEX question_once ON question (task_id, facility, day) WHERE gone_at IS NULL;
CREATE INDEX question_answered ON question (answered_at) WHERE answered_at IS NOT NULL AND outcome IS NULL;
