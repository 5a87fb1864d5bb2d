-- older-builds: may-run
-- How far a restored database's card payments were read again, so that a failed call to the provider does not begin it anew:
-- the provider's last id, and the last of ours whose refunds were read.
ALTER TABLE restore ADD COLUMN payments_after TEXT;
ALTER TABLE restore ADD COLUMN refunds_after UUID;
