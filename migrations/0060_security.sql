-- older-builds: may-run
-- How guesses are forgotten little by little, what happens to people's accounts, and where refresh tokens were used.

-- Up to when failures have been forgotten; empty until the first time.
ALTER TABLE throttle ADD COLUMN leaked_at TIMESTAMPTZ;

-- What happened to somebody's account, shown to them and to whoever runs the service; forgotten after 180 days.
CREATE TABLE security_event (
    id         UUID PRIMARY KEY,
    user_id    UUID NOT NULL REFERENCES users (id),
    at         TIMESTAMPTZ NOT NULL,
    -- A word of the program's.
    kind       TEXT NOT NULL,
    succeeded  BOOLEAN NOT NULL,
    -- Under which sign-in; empty where there was none.
    session_id UUID,
    -- As in the table session.
    browser    TEXT NOT NULL DEFAULT '',
    os         TEXT NOT NULL DEFAULT '',
    client     TEXT NOT NULL DEFAULT 'other' CHECK (client IN ('phone', 'tablet', 'computer', 'other')),
    network    TEXT NOT NULL DEFAULT ''
);
CREATE INDEX security_event_user ON security_event (user_id, at);
CREATE INDEX security_event_at ON security_event (at);

-- The device and the network that traded a refresh token: a repetition is answered only there.
ALTER TABLE refresh_token ADD COLUMN rotated_by TEXT;
ALTER TABLE refresh_token ADD COLUMN rotated_from TEXT;
-- How often a token of this sign-in was repeated from another network.
ALTER TABLE session ADD COLUMN repeated_elsewhere BIGINT NOT NULL DEFAULT 0;

-- Since when an operator keeps somebody out.
ALTER TABLE users ADD COLUMN suspended_at TIMESTAMPTZ;
