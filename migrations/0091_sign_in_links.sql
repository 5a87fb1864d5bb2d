-- older-builds: may-run
-- Links that sign somebody in once, made by an operator's command: an invitation, which sets the first password of an account, and the
-- owner's, on a server of one's own. Only the SHA-256 of what they carry is kept.
CREATE TABLE sign_in_link (
    token_hash BYTEA PRIMARY KEY,
    user_id    UUID NOT NULL REFERENCES users (id),
    kind       TEXT NOT NULL CHECK (kind IN ('invitation', 'owner')),
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at    TIMESTAMPTZ
);
CREATE INDEX sign_in_link_user ON sign_in_link (user_id);
CREATE INDEX sign_in_link_expires ON sign_in_link (expires_at);

-- Whose server this is, where it is somebody's own.
CREATE TABLE solo_owner (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    user_id UUID NOT NULL REFERENCES users (id),
    since   TIMESTAMPTZ NOT NULL,
    -- Where its pages are, as the server said that started last.
    address TEXT NOT NULL
);
