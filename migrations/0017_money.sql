-- Prices that differ from person to person, codes, what friends bring, and a ledger that knows where money came from.
-- The ledger's own tables are in the files per database: SQLite cannot change a CHECK, so it gets them built anew.

-- Who pays less because of where they belong.
CREATE TABLE user_group (
    id         UUID PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    -- Off each applicant's price, in minor units.
    discount   BIGINT NOT NULL CHECK (discount >= 0),
    currency   TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
ALTER TABLE users ADD COLUMN group_id UUID REFERENCES user_group (id);

-- Who pays less because somebody said so.
CREATE TABLE personal_discount (
    user_id  UUID PRIMARY KEY REFERENCES users (id),
    amount   BIGINT NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    note     TEXT,
    set_at   TIMESTAMPTZ NOT NULL
);

CREATE TABLE promo (
    id             UUID PRIMARY KEY,
    -- Upper case, without spaces and dashes: how it is looked up. Codes are public words and no secrets.
    code           TEXT NOT NULL UNIQUE,
    -- Off each applicant's price of one task, in minor units.
    amount         BIGINT NOT NULL CHECK (amount > 0),
    currency       TEXT NOT NULL,
    starts_at      TIMESTAMPTZ NOT NULL,
    ends_at        TIMESTAMPTZ,
    -- Tasks it may be used for, over all users and per user; null is no limit.
    use_limit      BIGINT CHECK (use_limit > 0),
    per_user_limit BIGINT CHECK (per_user_limit > 0),
    -- Uses that are reserved or used: the guarded update of this row decides who gets the last one.
    uses           BIGINT NOT NULL DEFAULT 0 CHECK (uses >= 0 AND (use_limit IS NULL OR uses <= use_limit)),
    -- Only for this user, or only for this group.
    only_user      UUID REFERENCES users (id),
    only_group     UUID REFERENCES user_group (id),
    note           TEXT,
    created_at     TIMESTAMPTZ NOT NULL,
    revoked_at     TIMESTAMPTZ
);

-- One task's use of a promo: reserved with its hold, used with its capture, returned with its release.
CREATE TABLE promo_use (
    id          UUID PRIMARY KEY,
    promo_id    UUID NOT NULL REFERENCES promo (id),
    user_id     UUID NOT NULL REFERENCES users (id),
    task_id     UUID NOT NULL REFERENCES task (id),
    -- What it took off each applicant's price.
    amount      BIGINT NOT NULL CHECK (amount > 0),
    state       TEXT NOT NULL CHECK (state IN ('reserved', 'used', 'returned')),
    created_at  TIMESTAMPTZ NOT NULL,
    resolved_at TIMESTAMPTZ,
    CHECK ((state = 'reserved') = (resolved_at IS NULL))
);
CREATE UNIQUE INDEX promo_use_one_per_task ON promo_use (task_id) WHERE state IN ('reserved', 'used');
CREATE INDEX promo_use_of_user ON promo_use (promo_id, user_id);

-- What being sent by a friend is worth; no row, or zero: nothing.
CREATE TABLE referral_setting (
    id                INTEGER PRIMARY KEY CHECK (id = 1),
    -- Off each applicant's price of a newcomer's first task.
    newcomer_discount BIGINT NOT NULL CHECK (newcomer_discount >= 0),
    -- What the friend gets, once, when that task is captured.
    referrer_bonus    BIGINT NOT NULL CHECK (referrer_bonus >= 0),
    currency          TEXT NOT NULL,
    set_at            TIMESTAMPTZ NOT NULL
);

-- A newcomer's first task, for which a friend may be rewarded.
CREATE TABLE referral (
    id          UUID PRIMARY KEY,
    newcomer    UUID NOT NULL REFERENCES users (id),
    referrer    UUID NOT NULL REFERENCES users (id),
    task_id     UUID NOT NULL REFERENCES task (id),
    -- What it took off each applicant's price, and what it gives the friend.
    discount    BIGINT NOT NULL CHECK (discount >= 0),
    bonus       BIGINT NOT NULL CHECK (bonus >= 0),
    -- returned: the task's hold went back. refused: captured, and yet no bonus (see why). void: taken back on a dispute.
    state       TEXT NOT NULL CHECK (state IN ('reserved', 'credited', 'returned', 'refused', 'void')),
    why         TEXT CHECK (why IN ('shared_login', 'shared_card', 'unpaid', 'account_gone', 'disputed')),
    created_at  TIMESTAMPTZ NOT NULL,
    resolved_at TIMESTAMPTZ,
    CHECK (newcomer <> referrer),
    CHECK ((state = 'reserved') = (resolved_at IS NULL)),
    CHECK ((state IN ('refused', 'void')) = (why IS NOT NULL))
);
-- Once per newcomer, whoever sent them.
CREATE UNIQUE INDEX referral_once ON referral (newcomer) WHERE state <> 'returned';
CREATE INDEX referral_of_friend ON referral (referrer, state);
CREATE INDEX referral_task ON referral (task_id);

-- Cards that were paid with, as the provider's fingerprint under our index key: two accounts with one card are no friends.
CREATE TABLE payment_card (
    user_id       UUID NOT NULL REFERENCES users (id),
    card_fp       BYTEA NOT NULL,
    first_seen_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, card_fp)
);
CREATE INDEX payment_card_fp ON payment_card (card_fp);

-- A registration travels with its mail, and so does the friend who sent it.
ALTER TABLE token ADD COLUMN referred_by UUID REFERENCES users (id);

-- What was agreed: per applicant, in the order it was taken off: [{"type": "promo", "amount": minor}].
ALTER TABLE task ADD COLUMN discount_lines JSONB;
-- How many of the people it was priced for had nothing to pay, because a capture of the last 365 days covers them.
ALTER TABLE task ADD COLUMN priced_entitled INTEGER NOT NULL DEFAULT 0;
-- A deleted task that told its user of a slot: the hold stays until one last read of the portal at this time.
ALTER TABLE task ADD COLUMN last_read_at TIMESTAMPTZ;
CREATE INDEX task_last_read ON task (last_read_at) WHERE last_read_at IS NOT NULL;
