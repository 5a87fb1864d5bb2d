CREATE FUNCTION ledger_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'ledger rows are never edited or deleted'; END $$;
CREATE TRIGGER ledger_transfer_fixed BEFORE UPDATE OR DELETE ON ledger_transfer
    FOR EACH ROW EXECUTE FUNCTION ledger_is_immutable();
CREATE TRIGGER ledger_transfer_kept BEFORE TRUNCATE ON ledger_transfer
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_immutable();
CREATE TRIGGER ledger_account_kept BEFORE DELETE ON ledger_account
    FOR EACH ROW EXECUTE FUNCTION ledger_is_immutable();
CREATE TRIGGER ledger_account_fixed BEFORE UPDATE OF id, kind, owner, currency ON ledger_account
    FOR EACH ROW EXECUTE FUNCTION ledger_is_immutable();
