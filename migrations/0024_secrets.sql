-- A portal session belongs to the password that opened it, and a newly accepted password ends the older ones.

-- A keyed hash of account and password, with the version of the key; filled by the program, which has the key.
ALTER TABLE credential ADD COLUMN secret_hash BYTEA;
ALTER TABLE credential ADD COLUMN secret_hash_version INTEGER;
-- When the sign-in that the portal accepted was sent, and when its answer was there.
ALTER TABLE credential ADD COLUMN accepted_sent_at TIMESTAMPTZ;
ALTER TABLE credential ADD COLUMN accepted_at TIMESTAMPTZ;
-- Another password was accepted at the same time: this one is tested once more before it is used.
ALTER TABLE credential ADD COLUMN untested_since TIMESTAMPTZ;
UPDATE credential SET accepted_sent_at = COALESCE(tested_at, created_at), accepted_at = COALESCE(tested_at, created_at)
  WHERE health = 'valid';
CREATE INDEX credential_rejected ON credential (id) WHERE health = 'rejected';

-- The password that opened the session, and when its sign-in was sent. Nobody knows it of older sessions: the program
-- forgets them when it starts.
ALTER TABLE portal_account ADD COLUMN session_secret BYTEA;
ALTER TABLE portal_account ADD COLUMN session_secret_version INTEGER;
ALTER TABLE portal_account ADD COLUMN session_sent_at TIMESTAMPTZ;

-- Verifications by people who hold no accepted password of the login, and those refused without asking the portal.
ALTER TABLE verify_failure ADD COLUMN stranger BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE verify_failure ADD COLUMN asked BOOLEAN NOT NULL DEFAULT TRUE;
