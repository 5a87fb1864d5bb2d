-- guards: every build since 0061 numbers and hashes what it writes, and none replaces rows of these tables.
-- INSERT OR REPLACE deletes the row in its way without the triggers on deletion, so inserts are guarded as well. A rowid
-- that the statement does not name is below zero here.
CREATE TRIGGER audit_insert BEFORE INSERT ON audit
WHEN NEW.number IS NULL OR NEW.number <= 0 OR NEW.hash IS NULL
    OR EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
    OR (NEW.rowid > 0 AND EXISTS (SELECT 1 FROM audit WHERE rowid = NEW.rowid))
BEGIN SELECT RAISE(ABORT, 'audit rows are numbered, hashed and never replaced'); END;

CREATE TRIGGER ledger_transfer_insert BEFORE INSERT ON ledger_transfer
WHEN EXISTS (SELECT 1 FROM ledger_transfer WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM ledger_transfer WHERE resolves_id = NEW.resolves_id)
    OR EXISTS (SELECT 1 FROM ledger_transfer
        WHERE source_kind = NEW.source_kind AND source_id = NEW.source_id AND source_seq = NEW.source_seq)
    OR EXISTS (SELECT 1 FROM ledger_transfer WHERE user_account = NEW.user_account AND position = NEW.position)
    OR (NEW.rowid > 0 AND EXISTS (SELECT 1 FROM ledger_transfer WHERE rowid = NEW.rowid))
BEGIN SELECT RAISE(ABORT, 'ledger rows are never replaced'); END;

-- Accounts are inserted where they may exist already: the row that exists stays.
CREATE TRIGGER ledger_account_insert BEFORE INSERT ON ledger_account
WHEN EXISTS (SELECT 1 FROM ledger_account WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM ledger_account
        WHERE kind = NEW.kind AND owner = NEW.owner AND currency = NEW.currency)
    OR (NEW.rowid > 0 AND EXISTS (SELECT 1 FROM ledger_account WHERE rowid = NEW.rowid))
BEGIN SELECT RAISE(IGNORE); END;
