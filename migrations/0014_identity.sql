-- Who somebody is elsewhere, the ways there and back, and what the way back is traded for.

-- A person at an identity provider: the pair never changes hands, the e-mail address there may.
CREATE TABLE identity (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    used_at    TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_user ON identity (user_id);

-- Somebody on their way to the provider. State and cookie are kept as SHA-256 only; the PKCE verifier and the nonce are
-- derived from the state and our index key, so that nothing here can be used by who reads it.
CREATE TABLE oidc_flow (
    state_hash  BYTEA PRIMARY KEY,
    cookie_hash BYTEA NOT NULL,
    purpose     TEXT NOT NULL CHECK (purpose IN ('sign_in', 'step_up')),
    -- Whose sign-in steps up.
    user_id     UUID REFERENCES users (id),
    session_id  UUID,
    language    TEXT NOT NULL CHECK (language IN ('en', 'zh')),
    remembered  BOOLEAN NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL,
    used_at     TIMESTAMPTZ,
    CHECK ((purpose = 'step_up') = (user_id IS NOT NULL AND session_id IS NOT NULL))
);
CREATE INDEX oidc_flow_expires ON oidc_flow (expires_at);

-- Somebody just back from the provider: traded once, within a minute, by the browser that left.
CREATE TABLE bootstrap (
    token_hash  BYTEA PRIMARY KEY,
    cookie_hash BYTEA NOT NULL,
    user_id     UUID NOT NULL REFERENCES users (id),
    remembered  BOOLEAN NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL,
    used_at     TIMESTAMPTZ
);
CREATE INDEX bootstrap_expires ON bootstrap (expires_at);
