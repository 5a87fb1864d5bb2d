-- What a sign-in looked like to its owner, when its password was given again, and second factors.

ALTER TABLE session ADD COLUMN method TEXT NOT NULL DEFAULT 'password' CHECK (method IN ('password', 'google'));
-- Words read from the User-Agent (Firefox, Android, phone) and the network without its last part; nothing else is kept.
ALTER TABLE session ADD COLUMN browser TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN os TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN kind TEXT NOT NULL DEFAULT 'other' CHECK (kind IN ('phone', 'tablet', 'computer', 'other'));
ALTER TABLE session ADD COLUMN network TEXT NOT NULL DEFAULT '';
-- Null until the first refresh.
ALTER TABLE session ADD COLUMN last_used_at TIMESTAMPTZ;
-- When its owner last proved again who they are.
ALTER TABLE session ADD COLUMN stepped_up_at TIMESTAMPTZ;

-- Where a user signed in from before: HMAC of client and network, so that only a new one is worth a mail.
CREATE TABLE known_client (
    user_id   UUID NOT NULL REFERENCES users (id),
    client_fp BYTEA NOT NULL,
    seen_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, client_fp)
);

-- A second factor: pending until a code of it was given; the confirmed one works until another takes its place.
CREATE TABLE totp (
    id             UUID PRIMARY KEY,
    user_id        UUID NOT NULL REFERENCES users (id),
    secret_kid     TEXT NOT NULL,
    secret_blob    BYTEA NOT NULL,
    secret_version INTEGER NOT NULL,
    -- The newest step whose code was taken: no code works twice.
    last_step      BIGINT NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    confirmed_at   TIMESTAMPTZ
);
CREATE UNIQUE INDEX totp_confirmed ON totp (user_id) WHERE confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX totp_pending ON totp (user_id) WHERE confirmed_at IS NULL;

-- What signs in once when the second factor is lost; HMAC under the index key.
CREATE TABLE recovery_code (
    user_id UUID NOT NULL REFERENCES users (id),
    code_fp BYTEA NOT NULL,
    used_at TIMESTAMPTZ,
    PRIMARY KEY (user_id, code_fp)
);
