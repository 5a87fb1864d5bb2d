-- What the minute's sweep looks for is rare among very many tasks: found by index, not by reading them all.

CREATE INDEX task_credential ON task (credential_id);
CREATE INDEX task_draft ON task (updated_at) WHERE deleted_at IS NULL AND status IN ('draft', 'configured');
CREATE INDEX task_deleted ON task (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX intent_confirmed ON intent (task_id) WHERE state = 'confirmed';
CREATE INDEX alert_at ON alert (alerted_at);
