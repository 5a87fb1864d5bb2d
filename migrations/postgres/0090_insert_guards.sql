-- guards: every build since 0061 numbers and hashes what it writes.
ALTER TABLE audit ADD CONSTRAINT audit_chained CHECK (number > 0 AND number IS NOT NULL AND hash IS NOT NULL) NOT VALID;
