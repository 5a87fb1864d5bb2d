-- older-builds: may-run
-- When somebody said that they have seen a notice; the same for all rows of the notice.
ALTER TABLE outbox ADD COLUMN acknowledged_at TIMESTAMPTZ;
-- What the network said after the provider had taken a text message: when it reached the phone, or why it did not.
ALTER TABLE outbox ADD COLUMN arrived_at TIMESTAMPTZ;
ALTER TABLE outbox ADD COLUMN not_arrived TEXT;
-- What text messages may have cost on each day (UTC), in tenths of a cent, and how many the ceiling kept from being sent.
CREATE TABLE sms_day (
    day     DATE PRIMARY KEY,
    spent   BIGINT NOT NULL CHECK (spent >= 0),
    refused BIGINT NOT NULL CHECK (refused >= 0)
);
