-- older-builds: may-run
-- The fingerprint appointment beside an interview: of a group, before and after a booking. Its city is written like en-co/Bogota.
-- The columns of one appointment are all set or all NULL.
ALTER TABLE task ADD COLUMN booked_fingerprints_city TEXT;
ALTER TABLE task ADD COLUMN booked_fingerprints_date DATE;
ALTER TABLE task ADD COLUMN booked_fingerprints_time TEXT CHECK (
    (booked_fingerprints_city IS NULL) = (booked_fingerprints_time IS NULL)
    AND (booked_fingerprints_date IS NULL) = (booked_fingerprints_time IS NULL));
ALTER TABLE intent ADD COLUMN expected_fingerprints_city TEXT;
ALTER TABLE intent ADD COLUMN expected_fingerprints_date DATE;
ALTER TABLE intent ADD COLUMN expected_fingerprints_time TEXT CHECK (
    (expected_fingerprints_city IS NULL) = (expected_fingerprints_time IS NULL)
    AND (expected_fingerprints_date IS NULL) = (expected_fingerprints_time IS NULL));
ALTER TABLE intent ADD COLUMN target_fingerprints_city TEXT;
ALTER TABLE intent ADD COLUMN target_fingerprints_date DATE;
ALTER TABLE intent ADD COLUMN target_fingerprints_time TEXT CHECK (
    (target_fingerprints_city IS NULL) = (target_fingerprints_time IS NULL)
    AND (target_fingerprints_date IS NULL) = (target_fingerprints_time IS NULL));
ALTER TABLE success ADD COLUMN old_fingerprints_city TEXT;
ALTER TABLE success ADD COLUMN old_fingerprints_date DATE;
ALTER TABLE success ADD COLUMN old_fingerprints_time TEXT CHECK (
    (old_fingerprints_city IS NULL) = (old_fingerprints_time IS NULL)
    AND (old_fingerprints_date IS NULL) = (old_fingerprints_time IS NULL));
ALTER TABLE success ADD COLUMN new_fingerprints_city TEXT;
ALTER TABLE success ADD COLUMN new_fingerprints_date DATE;
ALTER TABLE success ADD COLUMN new_fingerprints_time TEXT CHECK (
    (new_fingerprints_city IS NULL) = (new_fingerprints_time IS NULL)
    AND (new_fingerprints_date IS NULL) = (new_fingerprints_time IS NULL));
-- Equals seen_at if the build of the last report knows these columns.
ALTER TABLE node ADD COLUMN fingerprints_at TIMESTAMPTZ;
