-- A newcomer is signed in by the link of their mail, in the browser they registered in.

-- That browser by its pre-session cookie, as SHA-256 only, and until when it counts: with what was asked for, then with the link.
ALTER TABLE mail_request ADD COLUMN browser_hash BYTEA;
ALTER TABLE mail_request ADD COLUMN browser_until TIMESTAMPTZ;
ALTER TABLE token ADD COLUMN browser_hash BYTEA;
ALTER TABLE token ADD COLUMN browser_until TIMESTAMPTZ;

-- What is traded for a sign-in comes from Google, or from the link of a mail.
ALTER TABLE bootstrap ADD COLUMN method TEXT NOT NULL DEFAULT 'google' CHECK (method IN ('google', 'mail_link'));

-- The same of a sign-in. Neither database changes a CHECK in place: another column takes the name.
ALTER TABLE session ADD COLUMN proven_by TEXT NOT NULL DEFAULT 'password'
    CHECK (proven_by IN ('password', 'google', 'mail_link'));
UPDATE session SET proven_by = method;
ALTER TABLE session DROP COLUMN method;
ALTER TABLE session RENAME COLUMN proven_by TO method;
