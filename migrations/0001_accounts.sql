-- People, their sign-ins and their money. Type names are PostgreSQL's; SQLite takes them as they are.
-- Unique indexes are named table_column[_column], which is what store::Error::Conflict carries on both.

CREATE TABLE users (
    id                UUID PRIMARY KEY,
    -- As typed at registration, for showing and for sending mail to.
    email             TEXT NOT NULL,
    -- Trimmed and lower-cased: who it is.
    email_normalised  TEXT NOT NULL UNIQUE,
    -- Argon2id in PHC form; null for people who only sign in elsewhere. Until the address is proven: the newest
    -- registration's, which counts for nothing but being told so.
    password_hash     TEXT,
    language          TEXT NOT NULL CHECK (language IN ('en', 'zh')),
    email_verified_at TIMESTAMPTZ,
    auto_stop         BOOLEAN NOT NULL,
    referral_code     TEXT NOT NULL UNIQUE,
    referred_by       UUID REFERENCES users (id),
    created_at        TIMESTAMPTZ NOT NULL,
    updated_at        TIMESTAMPTZ NOT NULL
);

-- Single-use tokens sent by mail; only their SHA-256 is kept.
CREATE TABLE token (
    token_hash BYTEA PRIMARY KEY,
    user_id    UUID NOT NULL REFERENCES users (id),
    kind       TEXT NOT NULL CHECK (kind IN ('verify_email', 'reset_password')),
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at    TIMESTAMPTZ,
    -- The registration a verification link was sent for: what the account gets when that link is used first.
    password_hash TEXT,
    language      TEXT CHECK (language IN ('en', 'zh'))
);
CREATE INDEX token_user ON token (user_id, kind);

-- A sign-in: one family of refresh tokens.
CREATE TABLE session (
    id             UUID PRIMARY KEY,
    user_id        UUID NOT NULL REFERENCES users (id),
    remembered     BOOLEAN NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    expires_at     TIMESTAMPTZ NOT NULL,
    revoked_at     TIMESTAMPTZ,
    revoked_reason TEXT,
    CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
);
CREATE INDEX session_of_user ON session (user_id);

CREATE TABLE refresh_token (
    token_hash  BYTEA PRIMARY KEY,
    session_id  UUID NOT NULL REFERENCES session (id),
    -- 0 for the one login gave, one more with each rotation.
    generation  BIGINT NOT NULL,
    created_at  TIMESTAMPTZ NOT NULL,
    rotated_at  TIMESTAMPTZ,
    UNIQUE (session_id, generation)
);

CREATE TABLE throttle (
    -- What is being guessed at, e.g. login:<hmac of the address>.
    subject    TEXT PRIMARY KEY,
    failures   BIGINT NOT NULL,
    last_at    TIMESTAMPTZ NOT NULL,
    not_before TIMESTAMPTZ NOT NULL
);

CREATE TABLE ledger_account (
    id       UUID PRIMARY KEY,
    kind     TEXT NOT NULL CHECK (kind IN ('user', 'revenue', 'topup')),
    -- The user's id, or a nil UUID for the house's accounts.
    owner    UUID NOT NULL,
    currency TEXT NOT NULL,
    posted   BIGINT NOT NULL,
    held     BIGINT NOT NULL CHECK (held >= 0),
    CHECK (kind <> 'user' OR posted - held >= 0),
    UNIQUE (kind, owner, currency)
);

-- Two-legged and immutable (see the triggers). Holds are rows of their own; a capture or release resolves one.
CREATE TABLE ledger_transfer (
    id             UUID PRIMARY KEY,
    kind           TEXT NOT NULL CHECK (kind IN ('topup', 'hold', 'capture', 'release')),
    debit_account  UUID NOT NULL REFERENCES ledger_account (id),
    credit_account UUID NOT NULL REFERENCES ledger_account (id),
    amount         BIGINT NOT NULL CHECK (amount > 0),
    currency       TEXT NOT NULL,
    resolves_id    UUID UNIQUE REFERENCES ledger_transfer (id),
    -- What it is for: ('task', id), ('topup_code', id), or ('hold', id) for a resolution.
    source_kind    TEXT NOT NULL,
    source_id      UUID NOT NULL,
    -- A task may need another hold after its first was released; everything else has only number 1.
    source_seq     BIGINT NOT NULL,
    created_at     TIMESTAMPTZ NOT NULL,
    CHECK ((kind IN ('capture', 'release')) = (resolves_id IS NOT NULL)),
    CHECK (debit_account <> credit_account),
    UNIQUE (source_kind, source_id, source_seq)
);
CREATE INDEX ledger_transfer_debit ON ledger_transfer (debit_account, created_at);
CREATE INDEX ledger_transfer_credit ON ledger_transfer (credit_account, created_at);

-- A row here stops every movement of money until an operator has looked.
CREATE TABLE ledger_freeze (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    at  TIMESTAMPTZ NOT NULL,
    why TEXT NOT NULL
);

CREATE TABLE topup_code (
    id          UUID PRIMARY KEY,
    -- HMAC under the index key: the code itself is printed once and kept nowhere.
    code_fp     BYTEA NOT NULL UNIQUE,
    -- The last four characters, so that an operator can tell codes apart.
    tail        TEXT NOT NULL,
    amount      BIGINT NOT NULL CHECK (amount > 0),
    currency    TEXT NOT NULL,
    note        TEXT,
    created_at  TIMESTAMPTZ NOT NULL,
    expires_at  TIMESTAMPTZ NOT NULL,
    revoked_at  TIMESTAMPTZ,
    redeemed_at TIMESTAMPTZ,
    redeemed_by UUID REFERENCES users (id),
    CHECK ((redeemed_at IS NULL) = (redeemed_by IS NULL)),
    CHECK (redeemed_at IS NULL OR revoked_at IS NULL)
);

CREATE TABLE pricing_plan (
    id         UUID PRIMARY KEY,
    name       TEXT NOT NULL,
    unit_price BIGINT NOT NULL CHECK (unit_price >= 0),
    currency   TEXT NOT NULL,
    active     BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE idempotency (
    user_id    UUID NOT NULL REFERENCES users (id),
    route      TEXT NOT NULL,
    key        TEXT NOT NULL,
    body_fp    BYTEA NOT NULL,
    -- {"status": n, "body": {...}}; stored in the effect's own transaction.
    answer     JSONB NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, route, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- Everything we send to the outside, written in the transaction that decided it.
CREATE TABLE outbox (
    id           UUID PRIMARY KEY,
    dedup_key    TEXT NOT NULL UNIQUE,
    channel      TEXT NOT NULL CHECK (channel IN ('mail')),
    user_id      UUID REFERENCES users (id),
    recipient    TEXT NOT NULL,
    language     TEXT NOT NULL CHECK (language IN ('en', 'zh')),
    template     TEXT NOT NULL,
    data         JSONB NOT NULL,
    created_at   TIMESTAMPTZ NOT NULL,
    due_at       TIMESTAMPTZ NOT NULL,
    attempts     INTEGER NOT NULL,
    epoch        BIGINT NOT NULL,
    claimed_by   TEXT,
    claimed_till TIMESTAMPTZ,
    delivered_at TIMESTAMPTZ,
    dead_at      TIMESTAMPTZ,
    last_error   TEXT,
    CHECK (delivered_at IS NULL OR dead_at IS NULL)
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE delivered_at IS NULL AND dead_at IS NULL;

-- Who does what only one may do. Times here are the database's own, in microseconds since 1970.
CREATE TABLE lease (
    name       TEXT PRIMARY KEY,
    holder     TEXT NOT NULL,
    epoch      BIGINT NOT NULL,
    expires_us BIGINT NOT NULL
);

-- A known text sealed under the first key ring: a wrong ring is noticed at start.
CREATE TABLE canary (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    kid  TEXT NOT NULL,
    blob BYTEA NOT NULL,
    -- HMAC of the same text under the index key.
    fp   BYTEA NOT NULL
);
