-- older-builds: may-run
-- The address of a linked account as its provider told it last, to show which one it is. It says nothing about who somebody is.
ALTER TABLE identity ADD COLUMN email TEXT;
