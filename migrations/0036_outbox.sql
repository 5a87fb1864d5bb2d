-- One outbox for mails and for messages to channels: one row for each recipient of a notice.

ALTER TABLE outbox DROP COLUMN channel;
ALTER TABLE outbox ADD COLUMN channel_kind TEXT NOT NULL DEFAULT 'email';
-- Empty for mails, and for messages whose channel was removed.
ALTER TABLE outbox ADD COLUMN channel_id UUID REFERENCES channel (id) ON DELETE SET NULL;
ALTER TABLE outbox ADD COLUMN event TEXT NOT NULL DEFAULT 'security';
-- 0 goes first.
ALTER TABLE outbox ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN not_after TIMESTAMPTZ;
ALTER TABLE outbox ADD COLUMN task_id UUID REFERENCES task (id);
-- The same for all rows of one notice; empty for rows of before.
ALTER TABLE outbox ADD COLUMN notice_id UUID;
-- Sent only if no other row of its notice was accepted until it is due.
ALTER TABLE outbox ADD COLUMN fallback BOOLEAN NOT NULL DEFAULT FALSE;
-- The provider's word for an accepted one, and why another was not sent: a stable word.
ALTER TABLE outbox ADD COLUMN receipt TEXT;
ALTER TABLE outbox ADD COLUMN not_sent TEXT;

UPDATE outbox SET event = CASE template
    WHEN 'booked' THEN 'booked'
    WHEN 'needs_you' THEN 'needs_you' WHEN 'credential_leaving' THEN 'needs_you' WHEN 'credential_rejected' THEN 'needs_you'
    WHEN 'appointment_alert' THEN 'opening' WHEN 'question' THEN 'ask_first'
    WHEN 'credited' THEN 'money' WHEN 'hold_released' THEN 'money' WHEN 'refund' THEN 'money'
    WHEN 'verify_email' THEN 'verification' WHEN 'reset_password' THEN 'verification'
    WHEN 'email_change' THEN 'verification' WHEN 'already_registered' THEN 'verification'
    WHEN 'account_deleted' THEN 'verification'
    ELSE 'security' END;
UPDATE outbox SET priority = 1 WHERE event IN ('opening', 'money');
UPDATE outbox SET not_sent = 'gave_up' WHERE dead_at IS NOT NULL;

DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (priority, due_at, id) WHERE delivered_at IS NULL AND dead_at IS NULL;
CREATE INDEX outbox_of_user ON outbox (user_id, id);
CREATE INDEX outbox_notice ON outbox (notice_id) WHERE notice_id IS NOT NULL;
