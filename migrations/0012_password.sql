-- Passwords lost and changed, addresses changed, and what people who are not signed in ask for by mail.

-- The same row whether the address is known or not; what it leads to is decided afterwards, where nobody can measure it.
CREATE TABLE mail_request (
    id               UUID PRIMARY KEY,
    kind             TEXT NOT NULL CHECK (kind IN ('register', 'verify_email', 'reset_password', 'change_email')),
    -- As typed.
    email            TEXT NOT NULL,
    email_normalised TEXT NOT NULL,
    -- Who wants their address changed.
    user_id          UUID REFERENCES users (id),
    -- What a registration brings. Its password is kept for a day: the one thing its sender can be told is that it waits.
    password_hash    TEXT,
    language         TEXT CHECK (language IN ('en', 'zh')),
    referral_code    TEXT,
    created_at       TIMESTAMPTZ NOT NULL,
    due_at           TIMESTAMPTZ NOT NULL,
    resolved_at      TIMESTAMPTZ,
    CHECK ((kind = 'change_email') = (user_id IS NOT NULL)),
    CHECK (kind <> 'register' OR language IS NOT NULL)
);
CREATE INDEX mail_request_due ON mail_request (due_at) WHERE resolved_at IS NULL;
CREATE INDEX mail_request_address ON mail_request (email_normalised, created_at);

-- A link to a new address; the account has the old one until it is used.
CREATE TABLE email_change (
    token_hash       BYTEA PRIMARY KEY,
    user_id          UUID NOT NULL REFERENCES users (id),
    email            TEXT NOT NULL,
    created_at       TIMESTAMPTZ NOT NULL,
    expires_at       TIMESTAMPTZ NOT NULL,
    used_at          TIMESTAMPTZ,
    ended_at         TIMESTAMPTZ
);
CREATE INDEX email_change_user ON email_change (user_id);

-- Another link made this one useless; unlike one whose time ran out it never comes back.
ALTER TABLE token ADD COLUMN ended_at TIMESTAMPTZ;
-- An unproven address was registered with several passwords: nobody knows which is its owner's.
ALTER TABLE users ADD COLUMN contested BOOLEAN NOT NULL DEFAULT FALSE;
