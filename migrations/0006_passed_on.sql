-- An intent whose POST was refused in words still waits for its read-back, but its slot is the next one's.
ALTER TABLE intent ADD COLUMN passed_on BOOLEAN NOT NULL DEFAULT FALSE;
DROP INDEX intent_one_per_slot;
CREATE UNIQUE INDEX intent_one_per_slot ON intent (country, target_facility, target_date, target_time)
    WHERE state IN ('acting', 'unknown') AND NOT passed_on;
