-- Tasks, portal accounts, booking intents and what was seen: the watching side.

CREATE TABLE portal_account (
    id            UUID PRIMARY KEY,
    -- HMAC of host and normalised login: one row however many users know the password.
    login_fp      BYTEA NOT NULL UNIQUE,
    country       TEXT NOT NULL,
    visa_type     TEXT NOT NULL,
    health        TEXT NOT NULL DEFAULT 'valid' CHECK (health IN ('valid', 'locked', 'captcha', 'cooling')),
    health_since  TIMESTAMPTZ NOT NULL,
    not_before    TIMESTAMPTZ,
    -- The calls of the last ten hours (domain::budget::Budget).
    budget        JSONB NOT NULL,
    session_kid   TEXT,
    session_blob  BYTEA,
    session_version INTEGER NOT NULL DEFAULT 0,
    session_at    TIMESTAMPTZ,
    created_at    TIMESTAMPTZ NOT NULL
);

CREATE TABLE credential (
    id                UUID PRIMARY KEY,
    user_id           UUID NOT NULL REFERENCES users (id),
    portal_account_id UUID NOT NULL REFERENCES portal_account (id),
    username          TEXT NOT NULL,
    secret_kid        TEXT NOT NULL,
    secret_blob       BYTEA NOT NULL,
    secret_version    INTEGER NOT NULL,
    health            TEXT NOT NULL CHECK (health IN ('valid', 'rejected')),
    health_since      TIMESTAMPTZ NOT NULL,
    tested_at         TIMESTAMPTZ,
    created_at        TIMESTAMPTZ NOT NULL,
    UNIQUE (user_id, portal_account_id)
);
CREATE INDEX credential_account ON credential (portal_account_id);

-- Rejected verifications per portal login, over all users: the portal locks accounts.
CREATE TABLE verify_failure (
    id         UUID PRIMARY KEY,
    login_fp   BYTEA NOT NULL,
    failed_at  TIMESTAMPTZ NOT NULL
);
CREATE INDEX verify_failure_login ON verify_failure (login_fp, failed_at);

CREATE TABLE task (
    id                 UUID PRIMARY KEY,
    user_id            UUID NOT NULL REFERENCES users (id),
    credential_id      UUID REFERENCES credential (id),
    portal_account_id  UUID NOT NULL REFERENCES portal_account (id),
    country            TEXT NOT NULL,
    visa_type          TEXT NOT NULL,
    portal_schedule_id TEXT NOT NULL,
    status             TEXT NOT NULL CHECK (status IN
        ('draft', 'configured', 'submitted', 'processing', 'active', 'stopped', 'error')),
    reason             TEXT,
    status_since       TIMESTAMPTZ NOT NULL,
    -- What the portal said of the group (domain::appointment::Group).
    applicant_group    JSONB NOT NULL,
    group_read_at      TIMESTAMPTZ NOT NULL,
    booked_facility    INTEGER,
    booked_date        DATE,
    booked_time        TEXT,
    attempts_left      INTEGER,
    change_deadline    TIMESTAMPTZ,
    reschedules_used   INTEGER NOT NULL DEFAULT 0,
    -- domain::wish::Wish; null while a draft.
    wish               JSONB,
    wish_version       INTEGER NOT NULL DEFAULT 0,
    priority           INTEGER NOT NULL DEFAULT 0,
    unit_price         BIGINT,
    unit_discount      BIGINT,
    priced_for         INTEGER,
    total_price        BIGINT,
    currency           TEXT NOT NULL DEFAULT 'CAD',
    hold_id            UUID,
    captured_at        TIMESTAMPTZ,
    captured_amount    BIGINT,
    submitted_at       TIMESTAMPTZ,
    verdict            TEXT NOT NULL,
    verdict_since      TIMESTAMPTZ NOT NULL,
    verdict_evidence   JSONB NOT NULL,
    next_try_at        TIMESTAMPTZ,
    checks             BIGINT NOT NULL DEFAULT 0,
    slots_seen         BIGINT NOT NULL DEFAULT 0,
    last_check_at      TIMESTAMPTZ,
    created_at         TIMESTAMPTZ NOT NULL,
    -- The row's version on the wire and the resume point of event streams, in microseconds.
    updated_at         TIMESTAMPTZ NOT NULL,
    deleted_at         TIMESTAMPTZ,
    CHECK ((booked_date IS NULL) = (booked_time IS NULL)),
    CHECK ((booked_date IS NULL) = (booked_facility IS NULL)),
    CHECK (status IN ('draft') OR wish IS NOT NULL),
    CHECK (status IN ('draft', 'configured') OR submitted_at IS NOT NULL)
);
-- One user at a time monitors a group; decided here, at submit.
CREATE UNIQUE INDEX task_one_holder ON task (country, portal_schedule_id)
    WHERE deleted_at IS NULL AND status IN ('submitted', 'processing', 'active', 'stopped');
CREATE UNIQUE INDEX task_one_draft ON task (user_id, country, portal_schedule_id)
    WHERE deleted_at IS NULL;
CREATE INDEX task_user ON task (user_id, updated_at);
CREATE INDEX task_changed ON task (updated_at);

CREATE TABLE intent (
    id                 UUID PRIMARY KEY,
    task_id            UUID NOT NULL REFERENCES task (id),
    user_id            UUID NOT NULL REFERENCES users (id),
    portal_account_id  UUID NOT NULL REFERENCES portal_account (id),
    country            TEXT NOT NULL,
    portal_schedule_id TEXT NOT NULL,
    state              TEXT NOT NULL CHECK (state IN
        ('armed', 'acting', 'confirmed', 'refused', 'unknown', 'not_booked', 'manual', 'released')),
    epoch              BIGINT NOT NULL,
    expected_facility  INTEGER,
    expected_date      DATE,
    expected_time      TEXT,
    target_facility    INTEGER NOT NULL,
    target_date        DATE NOT NULL,
    -- Chosen from the account's own times, fixed before any byte leaves.
    target_time        TEXT,
    attempts_before    INTEGER,
    armed_at           TIMESTAMPTZ NOT NULL,
    acting_at          TIMESTAMPTZ,
    t0                 TIMESTAMPTZ,
    -- {"readings": [domain::booking::Reading]}
    readings           JSONB NOT NULL,
    evidence           JSONB NOT NULL,
    next_read_at       TIMESTAMPTZ,
    settled_at         TIMESTAMPTZ,
    CHECK (state IN ('armed', 'released') OR (acting_at IS NOT NULL AND target_time IS NOT NULL AND t0 IS NOT NULL)),
    CHECK (state NOT IN ('acting', 'unknown') OR next_read_at IS NOT NULL),
    CHECK ((expected_date IS NULL) = (expected_time IS NULL))
);
CREATE UNIQUE INDEX intent_one_per_group ON intent (country, portal_schedule_id)
    WHERE state IN ('armed', 'acting', 'unknown');
CREATE UNIQUE INDEX intent_serial_account ON intent (portal_account_id)
    WHERE state IN ('armed', 'acting', 'unknown');
-- Two of our users never race for one slot.
CREATE UNIQUE INDEX intent_one_per_slot ON intent (country, target_facility, target_date, target_time)
    WHERE state IN ('acting', 'unknown');
CREATE INDEX intent_task ON intent (task_id, armed_at);

CREATE TABLE success (
    id            UUID PRIMARY KEY,
    task_id       UUID NOT NULL REFERENCES task (id),
    intent_id     UUID UNIQUE,
    found_at      TIMESTAMPTZ NOT NULL,
    old_facility  INTEGER,
    old_date      DATE,
    old_time      TEXT,
    new_facility  INTEGER NOT NULL,
    new_date      DATE NOT NULL,
    new_time      TEXT NOT NULL,
    days_advanced BIGINT
);
CREATE INDEX success_task ON success (task_id, found_at);

-- The right a capture buys: further earlier slots for 365 days, whatever becomes of the task.
CREATE TABLE entitlement (
    id                 UUID PRIMARY KEY,
    user_id            UUID NOT NULL REFERENCES users (id),
    country            TEXT NOT NULL,
    portal_schedule_id TEXT NOT NULL,
    applicants         INTEGER NOT NULL,
    starts_at          TIMESTAMPTZ NOT NULL,
    ends_at            TIMESTAMPTZ NOT NULL,
    task_id            UUID NOT NULL UNIQUE REFERENCES task (id)
);
CREATE INDEX entitlement_user ON entitlement (user_id, country, portal_schedule_id);

-- What was done for a task, in order; words come from kind and data.
CREATE TABLE journal (
    id      UUID PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES task (id),
    at      TIMESTAMPTZ NOT NULL,
    kind    TEXT NOT NULL,
    data    JSONB NOT NULL
);
CREATE INDEX journal_task ON journal (task_id, at);

-- The last list of a calendar, and one row per change of it.
CREATE TABLE calendar (
    key          TEXT PRIMARY KEY,
    facility     INTEGER NOT NULL,
    kind         JSONB NOT NULL,
    days         JSONB NOT NULL,
    looks        BIGINT NOT NULL,
    last_look_at TIMESTAMPTZ
);

CREATE TABLE observation (
    id           UUID PRIMARY KEY,
    calendar_key TEXT NOT NULL REFERENCES calendar (key),
    seen_at      TIMESTAMPTZ NOT NULL,
    -- {"appeared": [date], "vanished": [date]}
    change       JSONB NOT NULL,
    earliest     DATE,
    days         INTEGER NOT NULL
);
CREATE INDEX observation_calendar ON observation (calendar_key, seen_at);

-- Days a calendar has shown, for the date line and the heat map.
CREATE TABLE seen_day (
    calendar_key  TEXT NOT NULL REFERENCES calendar (key),
    day           DATE NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    last_seen_at  TIMESTAMPTZ NOT NULL,
    times         BIGINT NOT NULL,
    PRIMARY KEY (calendar_key, day)
);

-- Notify-only: once per task and day until the day vanishes.
CREATE TABLE alert (
    id         UUID PRIMARY KEY,
    task_id    UUID NOT NULL REFERENCES task (id),
    facility   INTEGER NOT NULL,
    day        DATE NOT NULL,
    alerted_at TIMESTAMPTZ NOT NULL,
    gone_at    TIMESTAMPTZ
);
CREATE UNIQUE INDEX alert_once ON alert (task_id, facility, day) WHERE gone_at IS NULL;
