-- older-builds: may-run
-- Whatever ends (store/forget.rs) is found by an index, and so are the children of rows that end.

CREATE INDEX refresh_token_rotated ON refresh_token (rotated_at) WHERE rotated_at IS NOT NULL;
CREATE INDEX known_client_seen ON known_client (seen_at);
CREATE INDEX token_expires ON token (expires_at);
CREATE INDEX email_change_expires ON email_change (expires_at);
CREATE INDEX mail_request_resolved ON mail_request (created_at) WHERE resolved_at IS NOT NULL;
CREATE INDEX throttle_last ON throttle (last_at);
CREATE INDEX verify_failure_at ON verify_failure (failed_at);
CREATE INDEX channel_unproven ON channel (created_at) WHERE state = 'pending';
CREATE INDEX card_stray_ended ON card_stray (first_seen_at) WHERE outcome IS NOT NULL;
CREATE INDEX question_unanswered ON question (seen_at) WHERE answered_at IS NULL;
CREATE INDEX intent_released ON intent (armed_at) WHERE state = 'released';
-- Kinds that record no consent, no money and no booking; store/forget.rs has the same list.
CREATE INDEX journal_detail ON journal (at) WHERE kind IN ('signed_in', 'watching', 'trouble', 'standby', 'alerted', 'not_asked',
    'not_booked_because', 'slot_gone', 'lists_differ', 'lists_shared_again');
CREATE INDEX observation_seen ON observation (seen_at);
CREATE INDEX sighting_gone ON sighting (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX sighting_open_day ON sighting (day) WHERE gone_at IS NULL;
CREATE INDEX seen_day_day ON seen_day (day);
CREATE INDEX watch_ended ON watch (until) WHERE until IS NOT NULL;
CREATE INDEX task_deleted_draft ON task (deleted_at) WHERE submitted_at IS NULL;

CREATE INDEX alert_task ON alert (task_id, alerted_at);
CREATE INDEX outbox_task ON outbox (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX outbox_channel ON outbox (channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX entitlement_task ON entitlement (task_id);
CREATE INDEX promo_use_task ON promo_use (task_id);
