-- older-builds: may-run
-- Passkeys of users: public keys, as the WebAuthn library encodes them.
CREATE TABLE passkey (
    id            UUID PRIMARY KEY,
    user_id       UUID NOT NULL REFERENCES users (id),
    credential_id BYTEA NOT NULL UNIQUE,
    -- Public host of the server at that time. A passkey works only there.
    host          TEXT NOT NULL,
    name          TEXT NOT NULL,
    static_state  BYTEA NOT NULL,
    dynamic_state BYTEA NOT NULL,
    created_at    TIMESTAMPTZ NOT NULL,
    used_at       TIMESTAMPTZ
);
CREATE INDEX passkey_user ON passkey (user_id);
-- Challenges sent to browsers, to be answered once.
CREATE TABLE passkey_challenge (
    challenge  BYTEA PRIMARY KEY,
    -- Session that adds a passkey; NULL for a sign-in or a step-up.
    session_id UUID,
    state      BYTEA NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX passkey_challenge_expires ON passkey_challenge (expires_at);
-- TRUE for a sign-in with a passkey. Its method is password, so that an older build accepts it as a proof of identity.
ALTER TABLE session ADD COLUMN by_passkey BOOLEAN NOT NULL DEFAULT FALSE;
