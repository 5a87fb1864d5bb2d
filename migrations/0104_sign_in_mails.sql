-- older-builds: may-run
-- A requested sign-in link. Such a request has the kind reset_password, so that an older build mails a link that sets a password.
ALTER TABLE mail_request ADD COLUMN signs_in BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE mail_request ADD COLUMN remembered BOOLEAN NOT NULL DEFAULT FALSE;
-- Mailed sign-in links. Of token, code and cookie only a hash is stored.
CREATE TABLE mailed_sign_in (
    token_hash   BYTEA PRIMARY KEY,
    -- Code that the mail's page shows in another browser, to type in the browser of the request.
    code_hash    BYTEA NOT NULL,
    -- Cookie of the browser that requested the link.
    browser_hash BYTEA NOT NULL,
    user_id      UUID NOT NULL REFERENCES users (id),
    remembered   BOOLEAN NOT NULL,
    -- Number of wrong codes.
    misses       INTEGER NOT NULL DEFAULT 0,
    created_at   TIMESTAMPTZ NOT NULL,
    expires_at   TIMESTAMPTZ NOT NULL,
    used_at      TIMESTAMPTZ
);
CREATE INDEX mailed_sign_in_browser ON mailed_sign_in (browser_hash);
CREATE INDEX mailed_sign_in_user ON mailed_sign_in (user_id);
CREATE INDEX mailed_sign_in_expires ON mailed_sign_in (expires_at);
