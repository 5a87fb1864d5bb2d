-- Ways to reach a user besides mail, and when and what a user is told over them.

CREATE TABLE channel (
    id               UUID PRIMARY KEY,
    user_id          UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind             TEXT NOT NULL,
    -- What a screen names it by; the rest of its target is sealed, and empty until a link was followed.
    label            TEXT NOT NULL,
    target_kid       TEXT,
    target_blob      BYTEA,
    target_version   INTEGER NOT NULL,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'verified', 'needs_attention', 'off')),
    -- The user's order, and what they want to be told over it: a JSON array.
    position         INTEGER NOT NULL,
    events           JSONB NOT NULL,
    -- What a pending one waits for: the hash of its code or of its link's token, and what the screen shows meanwhile.
    proof            TEXT CHECK (proof IN ('code', 'link', 'confirmation')),
    proof_hash       BYTEA,
    proof_tries      INTEGER NOT NULL DEFAULT 0,
    proof_expires_at TIMESTAMPTZ,
    link             JSONB,
    linked_as        TEXT,
    consented_at     TIMESTAMPTZ NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    verified_at      TIMESTAMPTZ,
    last_ok_at       TIMESTAMPTZ,
    last_error_at    TIMESTAMPTZ,
    last_reason      TEXT,
    last_answer      TEXT,
    CHECK ((target_kid IS NULL) = (target_blob IS NULL)),
    CHECK (state <> 'verified' OR target_blob IS NOT NULL)
);
CREATE INDEX channel_of_user ON channel (user_id, position);
CREATE UNIQUE INDEX channel_proof ON channel (proof_hash) WHERE proof = 'link';

-- Without a row everything is as usual: no quiet hours, no digest, no questions at night.
CREATE TABLE notification_setting (
    user_id            UUID PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    -- HH:MM in the zone; both or none.
    quiet_from         TEXT,
    quiet_to           TEXT,
    zone               TEXT NOT NULL,
    questions_at_night BOOLEAN NOT NULL,
    digest             TEXT NOT NULL CHECK (digest IN ('off', 'daily', 'weekly')),
    digested_at        TIMESTAMPTZ,
    updated_at         TIMESTAMPTZ NOT NULL,
    CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);
