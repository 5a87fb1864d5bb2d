-- Columns and constraints are as in the file for SQLite, where each is explained.
ALTER TABLE ledger_account ADD COLUMN moves BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_kind_check;
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_kind_check CHECK (kind IN
    ('user', 'debt', 'revenue', 'topup', 'card', 'bonus', 'forfeit', 'adjust'));
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_held_of_users CHECK (kind = 'user' OR held = 0);
ALTER TABLE ledger_account ADD CONSTRAINT ledger_account_debt_below_zero CHECK (kind <> 'debt' OR posted <= 0);

ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_kind_check CHECK (kind IN
    ('topup', 'card', 'bonus', 'hold', 'capture', 'release', 'refund', 'dispute', 'reinstate', 'debt', 'void',
     'forfeit', 'adjust'));
ALTER TABLE ledger_transfer ADD COLUMN user_account UUID REFERENCES ledger_account (id);
ALTER TABLE ledger_transfer ADD COLUMN position BIGINT;
ALTER TABLE ledger_transfer ADD COLUMN posted_after BIGINT;
ALTER TABLE ledger_transfer ADD COLUMN held_after BIGINT;

-- Every row so far moved exactly one person's account: they are numbered and summed once, in the order they were written.
ALTER TABLE ledger_transfer DISABLE TRIGGER ledger_transfer_fixed;
UPDATE ledger_transfer SET user_account = n.account, position = n.position, posted_after = n.posted, held_after = n.held
FROM (
    SELECT t.id, a.id AS account, ROW_NUMBER() OVER moved AS position,
        SUM(CASE t.kind WHEN 'topup' THEN t.amount WHEN 'capture' THEN -t.amount ELSE 0 END) OVER moved AS posted,
        SUM(CASE t.kind WHEN 'hold' THEN t.amount WHEN 'capture' THEN -t.amount WHEN 'release' THEN -t.amount ELSE 0 END)
            OVER moved AS held
    FROM ledger_transfer t
    JOIN ledger_account a ON a.kind = 'user' AND (a.id = t.debit_account OR a.id = t.credit_account)
    WINDOW moved AS (PARTITION BY a.id ORDER BY t.created_at, t.id)
) n
WHERE n.id = ledger_transfer.id;
ALTER TABLE ledger_transfer ENABLE TRIGGER ledger_transfer_fixed;
UPDATE ledger_account SET moves = (SELECT COUNT(*) FROM ledger_transfer t WHERE t.user_account = ledger_account.id);

ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_of_user CHECK (
    (user_account IS NULL) = (position IS NULL)
    AND (user_account IS NULL) = (posted_after IS NULL) AND (user_account IS NULL) = (held_after IS NULL));
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_user_account_position_key UNIQUE (user_account, position);

-- A task may be captured more than once: for its people, and later for people who joined them.
ALTER TABLE entitlement DROP CONSTRAINT entitlement_task_id_key;
ALTER TABLE entitlement ADD COLUMN paid_by UUID;
UPDATE entitlement SET paid_by = task_id;
ALTER TABLE entitlement ALTER COLUMN paid_by SET NOT NULL;
ALTER TABLE entitlement ADD CONSTRAINT entitlement_paid_by_key UNIQUE (paid_by);
