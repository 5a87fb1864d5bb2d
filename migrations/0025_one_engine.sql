-- One engine at a time: which accounts its jobs have out, and which history of the database server it has seen.

-- Portal accounts lent to a job whose requests the stored budget does not count yet. A row is written before the job's
-- first request, and deleted by the transaction that writes the budget: what an engine that died leaves here is counted
-- as spent, and nothing else is.
CREATE TABLE account_lease (
    portal_account_id UUID PRIMARY KEY REFERENCES portal_account (id) ON DELETE CASCADE,
    job               TEXT NOT NULL CHECK (job IN ('poll', 'warm_up', 'read')),
    -- Which of the engine's jobs: a later one's row is not deleted for an earlier one.
    turn              BIGINT NOT NULL,
    taken_at          TIMESTAMPTZ NOT NULL
);

-- PostgreSQL: system identifier and timeline of the server this lease was last renewed on; null on SQLite.
ALTER TABLE lease ADD COLUMN timeline TEXT;
-- When the timeline changed: a group that was not read since is read before it is booked (portal time).
ALTER TABLE lease ADD COLUMN guarded_at TIMESTAMPTZ;
-- Nothing is booked before (portal time).
ALTER TABLE lease ADD COLUMN quiet_until TIMESTAMPTZ;

-- What the status page sums up.
CREATE INDEX outbox_delivered ON outbox (delivered_at) WHERE delivered_at IS NOT NULL;
CREATE INDEX task_troubled ON task (verdict)
    WHERE deleted_at IS NULL AND verdict IN ('portal_down', 'overloaded');
-- What is asked for within the transaction that commits a booking as sending, and around it.
CREATE INDEX intent_confirmed_slot ON intent (country, target_facility, target_date, target_time)
    WHERE state = 'confirmed';
CREATE INDEX intent_manual ON intent (t0) WHERE state = 'manual';
CREATE INDEX task_group ON task (country, portal_schedule_id) WHERE deleted_at IS NULL;
CREATE INDEX task_open_hold ON task (id) WHERE hold_id IS NOT NULL AND captured_at IS NULL;
CREATE INDEX session_expires ON session (expires_at);
CREATE INDEX watch_open ON watch (task_id) WHERE until IS NULL;
-- Whose lists moved.
CREATE INDEX watch_list ON watch (calendar_key, task_id) WHERE until IS NULL;
-- Who moved money lately.
CREATE INDEX ledger_transfer_at ON ledger_transfer (created_at);
