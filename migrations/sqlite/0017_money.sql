-- The ledger built anew under its own names: rows are kept aside, both tables are dropped child first (so that no foreign
-- key ever points at nothing), and everything that goes with a table (indexes, triggers) is made again.
CREATE TABLE kept_account AS SELECT id, kind, owner, currency, posted, held FROM ledger_account;
CREATE TABLE kept_transfer AS SELECT id, kind, debit_account, credit_account, amount, currency, resolves_id,
    source_kind, source_id, source_seq, created_at FROM ledger_transfer;
DROP TABLE ledger_transfer;
DROP TABLE ledger_account;

CREATE TABLE ledger_account (
    id       UUID PRIMARY KEY,
    -- user, debt: a person's. The others are the house's: revenue (earned), topup (codes), card (card payments), bonus
    -- (given away), forfeit (left behind by people who went), adjust (an operator's corrections).
    kind     TEXT NOT NULL CHECK (kind IN
        ('user', 'debt', 'revenue', 'topup', 'card', 'bonus', 'forfeit', 'adjust')),
    -- The user's id, or a nil UUID for the house's accounts.
    owner    UUID NOT NULL,
    currency TEXT NOT NULL,
    posted   BIGINT NOT NULL,
    held     BIGINT NOT NULL CHECK (held >= 0),
    -- How many transfers moved this account, for users' accounts.
    moves    BIGINT NOT NULL DEFAULT 0,
    CHECK (kind <> 'user' OR posted - held >= 0),
    CHECK (kind = 'user' OR held = 0),
    -- What is owed is below zero.
    CHECK (kind <> 'debt' OR posted <= 0),
    UNIQUE (kind, owner, currency)
);

CREATE TABLE ledger_transfer (
    id             UUID PRIMARY KEY,
    kind           TEXT NOT NULL CHECK (kind IN ('topup', 'card', 'bonus', 'hold', 'capture', 'release',
                       'refund', 'dispute', 'reinstate', 'debt', 'void', 'forfeit', 'adjust')),
    debit_account  UUID NOT NULL REFERENCES ledger_account (id),
    credit_account UUID NOT NULL REFERENCES ledger_account (id),
    amount         BIGINT NOT NULL CHECK (amount > 0),
    currency       TEXT NOT NULL,
    resolves_id    UUID UNIQUE REFERENCES ledger_transfer (id),
    -- What it is for: ('task', id), ('topup_code', id), ('card_payment', id) …, or ('hold', id) for a resolution.
    source_kind    TEXT NOT NULL,
    source_id      UUID NOT NULL,
    -- A task may need another hold after its first was released; everything else counts from 1.
    source_seq     BIGINT NOT NULL,
    -- The person's account it moved, which movement of that account it is, and what that account had after it.
    user_account   UUID REFERENCES ledger_account (id),
    position       BIGINT,
    posted_after   BIGINT,
    held_after     BIGINT,
    created_at     TIMESTAMPTZ NOT NULL,
    CHECK ((kind IN ('capture', 'release')) = (resolves_id IS NOT NULL)),
    CHECK (debit_account <> credit_account),
    CHECK ((user_account IS NULL) = (position IS NULL)),
    CHECK ((user_account IS NULL) = (posted_after IS NULL) AND (user_account IS NULL) = (held_after IS NULL)),
    UNIQUE (source_kind, source_id, source_seq),
    UNIQUE (user_account, position)
);

INSERT INTO ledger_account (id, kind, owner, currency, posted, held, moves)
SELECT id, kind, owner, currency, posted, held,
    CASE kind WHEN 'user' THEN (SELECT COUNT(*) FROM kept_transfer t WHERE t.debit_account = a.id OR t.credit_account = a.id)
    ELSE 0 END
FROM kept_account a;

INSERT INTO ledger_transfer (id, kind, debit_account, credit_account, amount, currency, resolves_id, source_kind,
    source_id, source_seq, user_account, position, posted_after, held_after, created_at)
SELECT t.id, t.kind, t.debit_account, t.credit_account, t.amount, t.currency, t.resolves_id, t.source_kind,
    t.source_id, t.source_seq, a.id,
    ROW_NUMBER() OVER moved,
    SUM(CASE t.kind WHEN 'topup' THEN t.amount WHEN 'capture' THEN -t.amount ELSE 0 END) OVER moved,
    SUM(CASE t.kind WHEN 'hold' THEN t.amount WHEN 'capture' THEN -t.amount WHEN 'release' THEN -t.amount ELSE 0 END)
        OVER moved,
    t.created_at
FROM kept_transfer t
JOIN kept_account a ON a.kind = 'user' AND (a.id = t.debit_account OR a.id = t.credit_account)
WINDOW moved AS (PARTITION BY a.id ORDER BY t.created_at, t.id);

DROP TABLE kept_transfer;
DROP TABLE kept_account;

CREATE INDEX ledger_transfer_debit ON ledger_transfer (debit_account, created_at);
CREATE INDEX ledger_transfer_credit ON ledger_transfer (credit_account, created_at);

CREATE TRIGGER ledger_transfer_no_update BEFORE UPDATE ON ledger_transfer
BEGIN SELECT RAISE(ABORT, 'ledger rows are never edited'); END;
CREATE TRIGGER ledger_transfer_no_delete BEFORE DELETE ON ledger_transfer
BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER ledger_account_no_delete BEFORE DELETE ON ledger_account
BEGIN SELECT RAISE(ABORT, 'ledger accounts are never deleted'); END;
CREATE TRIGGER ledger_account_fixed BEFORE UPDATE OF id, kind, owner, currency ON ledger_account
BEGIN SELECT RAISE(ABORT, 'only balances of a ledger account change'); END;

-- A task may be captured more than once: for its people, and later for people who joined them.
CREATE TABLE kept_entitlement AS SELECT id, user_id, country, portal_schedule_id, applicants, starts_at, ends_at, task_id
    FROM entitlement;
DROP TABLE entitlement;
CREATE TABLE entitlement (
    id                 UUID PRIMARY KEY,
    user_id            UUID NOT NULL REFERENCES users (id),
    country            TEXT NOT NULL,
    portal_schedule_id TEXT NOT NULL,
    -- How many people this capture paid for; those of several captures add up.
    applicants         INTEGER NOT NULL,
    starts_at          TIMESTAMPTZ NOT NULL,
    ends_at            TIMESTAMPTZ NOT NULL,
    task_id            UUID NOT NULL REFERENCES task (id),
    -- The hold whose capture bought it; the task itself when its price was nothing.
    paid_by            UUID NOT NULL UNIQUE
);
INSERT INTO entitlement (id, user_id, country, portal_schedule_id, applicants, starts_at, ends_at, task_id, paid_by)
SELECT id, user_id, country, portal_schedule_id, applicants, starts_at, ends_at, task_id, task_id FROM kept_entitlement;
DROP TABLE kept_entitlement;
CREATE INDEX entitlement_user ON entitlement (user_id, country, portal_schedule_id);
