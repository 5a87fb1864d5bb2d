-- older-builds: may-run
-- Rows that the server made for users without settings of their own, to store the time of their
-- weekly digest.
ALTER TABLE notification_setting ADD COLUMN is_default BOOLEAN NOT NULL DEFAULT FALSE;
