-- Payments by card. Amounts are minor units; ids of the provider are its own words.

-- One row per payment intent.
CREATE TABLE card_payment (
    id              UUID PRIMARY KEY,
    user_id         UUID NOT NULL REFERENCES users (id),
    -- An intent is credited once, however often and in whatever order it is told about.
    intent_id       TEXT NOT NULL UNIQUE,
    asked           BIGINT NOT NULL CHECK (asked > 0),
    currency        TEXT NOT NULL,
    description     TEXT,
    -- open: may still be paid. succeeded: paid and credited. canceled: can not be paid any more. lapsed: nobody paid for
    -- days, and the provider did not let us cancel it; a message about it is still believed.
    state           TEXT NOT NULL CHECK (state IN ('open', 'succeeded', 'canceled', 'lapsed')),
    -- The provider's word as last heard.
    provider_status TEXT NOT NULL,
    -- What came in, which may differ from what was asked.
    received        BIGINT CHECK (received > 0),
    -- What of it went back, or is on its way back.
    refunded        BIGINT NOT NULL DEFAULT 0,
    -- What of it the payer's bank has taken back.
    disputed        BIGINT NOT NULL DEFAULT 0 CHECK (disputed >= 0),
    created_at      TIMESTAMPTZ NOT NULL,
    credited_at     TIMESTAMPTZ,
    -- When we read it at the provider the next time: an open one for its end, a paid one for its card.
    next_read_at    TIMESTAMPTZ,
    readings        BIGINT NOT NULL DEFAULT 0,
    CHECK ((state = 'succeeded') = (received IS NOT NULL)),
    CHECK ((state = 'succeeded') = (credited_at IS NOT NULL)),
    CHECK (refunded >= 0 AND refunded <= COALESCE(received, 0))
);
CREATE INDEX card_payment_user ON card_payment (user_id, created_at);
CREATE INDEX card_payment_due ON card_payment (next_read_at) WHERE next_read_at IS NOT NULL;

-- Intents we were told about and do not know: read at the provider before anything is believed.
CREATE TABLE card_stray (
    intent_id     TEXT PRIMARY KEY,
    first_seen_at TIMESTAMPTZ NOT NULL,
    next_read_at  TIMESTAMPTZ,
    readings      BIGINT NOT NULL DEFAULT 0,
    -- Why it is not looked at any more.
    outcome       TEXT CHECK (outcome IN ('adopted', 'not_ours', 'unreadable')),
    CHECK ((outcome IS NULL) = (next_read_at IS NOT NULL))
);
CREATE INDEX card_stray_due ON card_stray (next_read_at) WHERE next_read_at IS NOT NULL;

-- Money on its way back to a card: taken from the balance when the row is written, asked of the provider afterwards under
-- the row's id, which gives back once.
CREATE TABLE card_refund (
    id          UUID PRIMARY KEY,
    payment_id  UUID NOT NULL REFERENCES card_payment (id),
    amount      BIGINT NOT NULL CHECK (amount > 0),
    -- failed: the provider refused, and the balance has it again.
    state       TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'failed')),
    provider_id TEXT UNIQUE,
    -- Made by hand at the provider; we only followed.
    outside     BOOLEAN NOT NULL,
    note        TEXT,
    -- The provider's word for a failure.
    failure     TEXT,
    tries       BIGINT NOT NULL DEFAULT 0,
    next_try_at TIMESTAMPTZ,
    created_at  TIMESTAMPTZ NOT NULL,
    settled_at  TIMESTAMPTZ,
    CHECK ((state = 'pending') = (next_try_at IS NOT NULL)),
    CHECK ((state = 'pending') = (settled_at IS NULL))
);
CREATE INDEX card_refund_payment ON card_refund (payment_id);
CREATE INDEX card_refund_due ON card_refund (next_try_at) WHERE next_try_at IS NOT NULL;

-- What the payer's bank takes back.
CREATE TABLE card_dispute (
    id         UUID PRIMARY KEY,
    dispute_id TEXT NOT NULL UNIQUE,
    payment_id UUID NOT NULL REFERENCES card_payment (id),
    amount     BIGINT NOT NULL CHECK (amount > 0),
    state      TEXT NOT NULL CHECK (state IN ('open', 'won', 'lost')),
    -- Of it: from the balance, and what is owed since.
    taken      BIGINT NOT NULL CHECK (taken >= 0),
    owed       BIGINT NOT NULL CHECK (owed >= 0),
    created_at TIMESTAMPTZ NOT NULL,
    closed_at  TIMESTAMPTZ,
    CHECK ((state = 'open') = (closed_at IS NULL))
);
CREATE INDEX card_dispute_payment ON card_dispute (payment_id);
