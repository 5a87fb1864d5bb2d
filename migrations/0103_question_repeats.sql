-- older-builds: may-run
-- When the user answered no.
ALTER TABLE question ADD COLUMN declined_at TIMESTAMPTZ;
-- Number of earlier questions about the date since it was listed.
ALTER TABLE question ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0 CHECK (repeats >= 0);
