-- older-builds: may-run
-- Somebody signed in who goes to Google to link an account there; builds of before take it for a proof.
ALTER TABLE oidc_flow ADD COLUMN links BOOLEAN NOT NULL DEFAULT FALSE;
-- Whoever took the link away gets it back by their own hand only, not by an address that both know.
ALTER TABLE users ADD COLUMN links_by_hand BOOLEAN NOT NULL DEFAULT FALSE;
-- Proved at Google, with a code of the second factor still to come; builds of before ask for the whole proof again.
ALTER TABLE session ADD COLUMN proved_elsewhere_at TIMESTAMPTZ;
