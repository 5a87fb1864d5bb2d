-- An attempt that is being made: its share of the limit is reserved until then, and counts as rejected afterwards unless
-- its process has said how it ended. Null: rejected.
ALTER TABLE verify_failure ADD COLUMN ends_by TIMESTAMPTZ;
