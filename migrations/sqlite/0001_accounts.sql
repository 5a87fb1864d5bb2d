CREATE TRIGGER ledger_transfer_no_update BEFORE UPDATE ON ledger_transfer
BEGIN SELECT RAISE(ABORT, 'ledger rows are never edited'); END;
CREATE TRIGGER ledger_transfer_no_delete BEFORE DELETE ON ledger_transfer
BEGIN SELECT RAISE(ABORT, 'ledger rows are never deleted'); END;
CREATE TRIGGER ledger_account_no_delete BEFORE DELETE ON ledger_account
BEGIN SELECT RAISE(ABORT, 'ledger accounts are never deleted'); END;
CREATE TRIGGER ledger_account_fixed BEFORE UPDATE OF id, kind, owner, currency ON ledger_account
BEGIN SELECT RAISE(ABORT, 'only balances of a ledger account change'); END;
