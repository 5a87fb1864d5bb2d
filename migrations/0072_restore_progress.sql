-- older-builds: may-run
-- How far the refunds of a restored database were read again, so that a failed call to the card provider does not begin it anew: the
-- last payment, and of which restore (its restored_at), for builds of before restore without clearing it.
ALTER TABLE restore ADD COLUMN refunds_after UUID;
ALTER TABLE restore ADD COLUMN refunds_of TIMESTAMPTZ;
